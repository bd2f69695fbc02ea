-- Sends the requests of a file, separated by NUL bytes, one after the other.
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

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"failed":%d,"timedOut":%d}\n',
    summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    errors.timeout
  ))
end
