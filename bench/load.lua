-- Sends the raw requests of a file, parted by zero bytes, over and over, and minds the status of every answer.
--   wrk -s load.lua URL -- FILE STATUS
local threads = {}

function setup(thread)
   threads[#threads + 1] = thread
end

function init(args)
   requests = {}
   local file = assert(io.open(args[1], "rb"))
   for request in file:read("*a"):gmatch("[^%z]+") do
      requests[#requests + 1] = request
   end
   file:close()
   wanted, wrong, other, at = tonumber(args[2]), 0, 0, 0
end

function request()
   at = at % #requests + 1
   return requests[at]
end

function response(status)
   if status ~= wanted then
      wrong, other = wrong + 1, status
   end
end

function done(summary)
   local thread, failed = threads[1], summary.errors
   local broken = failed.connect + failed.read + failed.write + failed.timeout
   io.write(string.format("result %d %d %d %d %d\n",
      summary.requests, summary.duration, thread:get("wrong"), thread:get("other"), broken))
end
