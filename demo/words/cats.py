from demo.words import SpeciesPhrases, split_sentences

CATS = SpeciesPhrases(
    found=True,
    openers=split_sentences("""
        {name} has read the rules about the kitchen table and disagrees with them.
        There is a purr inside {name} that starts before you have touched {him}.
        {name} likes to be admired from a metre away, and then, quite suddenly, from no distance at all.
        {name} talks. Not loudly, but about everything.
        Open a drawer, and {name} is in it.
        {name} spent {his} first week behind the boiler and {his} second on our laps.
        If there is a box, {name} fits in it; if there is not, {he} will wait.
        {name} greets people nose first and decides from there.
        The window on the second floor belongs to {name}, and so does everything that can be seen from it.
        {name} is the cat who comes to the front of the pen when a visitor sits down on the floor.
        {name} kneads blankets with great seriousness, as if there were an order to fill.
        {name} will sit beside you while you read, and put one paw on the page.
        Nothing moves in this building without the knowledge of {name}.
        {name} has the softest coat in the house, and knows what that is worth.
        {name} plays like a kitten at four in the afternoon and sleeps like a stone at five.
        A slow blink from {name} is worth a long wait, and you may have to wait.
        {name} was found in an engine bay and has been fond of warm places ever since.
        {name} likes the radio on, low, preferably something with cellos.
        We have tried to tire {name} out with a feather on a string. {He} tired us out.
        {name} watches water run as other people watch football.
        {name} keeps {his} opinions to {him}self until supper is four minutes late.
        {name} gives a small chirp when you come into the room, every time.
        There are cats for whom a lap is a right, and {name} is one of them.
        {name} arrived thin and cross and is now neither.
        {name} can open the cat-flap, the cupboard and, we suspect, the office.
        {name} will be your shadow, if you do not mind a shadow with views.
    """),
    young=split_sentences("""
        {name} weighs about as much as a bag of sugar and has already won a fight with a curtain.
        {name} was born in a shed and thinks that the indoors is a marvellous invention.
        All whiskers and nerve, {name} is the first of the litter up every piece of furniture.
        {name} has two speeds, and one of them is asleep in your sleeve.
        {name} is at the sideways-jumping stage, and we would not miss it for anything.
    """),
    old=split_sentences("""
        {name} is a distinguished {old} who would like to be read to.
        {name} has spent most of {his} life with one person and would like to do so again.
        At {his} time of life {name} asks for a cushion in the sun and no surprises.
        {name} may be old, but {his} purr has not aged a day.
        {name} moves slowly, sleeps well and is excellent company.
    """),
    habits=split_sentences("""
        {He} uses {his} tray without fail, and covers it up twice.
        {He} sleeps at the foot of the bed, or in the middle of it.
        {He} comes when {he} is called, if it is {his} idea as well.
        {He} likes to drink from a dripping tap and will show you which one.
        {He} is happy to be picked up for exactly as long as {he} says.
        {He} loves a paper bag more than any toy that money can buy.
        {He} supervises laundry from inside the basket.
        {He} will chase a ping-pong ball down the stairs and wait for you to bring it up.
        {He} hides from the vacuum cleaner and forgives it by supper.
        {He} rolls over to show {his} stomach; it is a trap, but a friendly one.
        {He} keeps {his} claws on the post nearly all of the time.
        {He} enjoys a good brush along the cheeks and leans into it with {his} eyes shut.
        {He} has a favourite chair, and it is yours.
        {He} eats slowly and neatly and then looks at your plate.
        {He} sits in the hall at half past five and waits for the door.
        {He} likes birds on television, with the sound on.
        {He} does not like being shut out of a room, even one {he} did not want to be in.
        {He} tucks {his} tail around {his} feet and becomes a loaf.
        {He} carries socks about at night and announces each of them.
        {He} will climb to the top of anything and ask to be helped down.
    """),
    homes=split_sentences("""
        {He} would like a garden to patrol once {he} has settled in.
        {He} has always lived indoors and wants to stay there.
        {He} is looking for a calm home where {he} can be the only cat.
        A patient person who lets {him} come first will be repaid many times over.
        {He} would fit into a busy house, as long as there is one quiet shelf.
        {He} needs a home away from main roads.
        {He} would be company for somebody who is at home a good deal.
        High places, deep cushions and a window with a view would make {him} happy.
        {He} is used to a flat and would do well in another.
        {He} would rather like someone who keeps regular hours.
        {He} is ready now, with a bag of {his} usual food to take along.
        Give {him} one room to begin with, and the rest of the house in {his} own time.
    """),
    needs=(
        (
            "FIV positive; indoor home.",
            "{He} is FIV positive: {he} lives as long as other cats, but indoors.",
        ),
        ("Renal diet.", "{His} kidneys are not what they were, so {he} has a diet of {his} own."),
        ("One eye.", "{He} has one eye and misses nothing with it."),
        (
            "Thyroid cream once a day.",
            "A little cream inside {his} ear each morning keeps {his} thyroid in order.",
        ),
        ("Blind from birth.", "{He} has never been able to see, and learns a room in a single evening."),
    ),
)
