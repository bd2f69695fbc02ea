-- Sends the requests of a file, which NUL bytes separate, in turn. Each connection begins at another one.
local file = io.open(os.getenv("REQUESTS"), "rb")
local text = file:read("*a") .. "\0"
file:close()
local requests = {}
for each in text:gmatch("([^%z]+)%z") do requests[#requests + 1] = each end
local at = 0

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"failed":%d,"timedOut":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
