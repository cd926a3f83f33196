const headers = { Authorization: `Bearer ${process.env.HOMEWARD_KEY}` };
const LONGEST_WAIT = 120;

async function get(address, tries = 6) {
  for (let attempt = 0; ; attempt++) {
    let failure, wait = 0;
    try {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(address, { headers, signal });
      if (response.ok) return await response.json();
      failure = new Error(`${response.status} ${await response.text()}`);
      if (![429, 500, 502, 503].includes(response.status)) tries = 0;
      wait = Number(response.headers.get("Retry-After") ?? 0);
    } catch (error) {
      failure = error; // refused, reset or timed out
    }
    // A longer wait is such as the day's quota: come back later.
    if (wait > LONGEST_WAIT || attempt >= tries - 1) throw failure;
    // Never sooner than Retry-After, longer each time, and not
    // at the same moment as everybody else.
    const seconds = Math.max(wait, 2 ** attempt) + Math.random();
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

const animals = await get("{{ base_url }}/pets?limit=100");
console.log(animals.length, "animals");
