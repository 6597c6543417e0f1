-- Takes one request out of a key's bucket, if it holds one: the arithmetic of ../bucket.ts, to the digit (all numbers
-- are integers below 2^53). Refusing takes nothing.
--
-- KEYS[1]  the bucket: "<sustained> <spare> <at>", in 60,000ths of a request and ms; absent: full
-- ARGV     limit, burst, now (ms, the caller's)
-- returns  {1 where the request passes else 0, sustained, spare, at}
--
-- The key expires a window after the bucket is full again, by the time that passes here: it then says nothing that a
-- new one would not, also to a caller whose clock is up to a window behind.
local limit, burst, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window, request = 60000, 60000
local whole, most = limit * request, (burst - limit) * request
local sustained, spare, at = whole, most, now

local stored = redis.call('GET', KEYS[1])
if stored then
  local s, p, a = string.match(stored, '^(%d+) (%d+) (%-?%d+)$')
  sustained, spare, at = tonumber(s), tonumber(p), tonumber(a)
  local elapsed = now - at
  if elapsed >= 0 or elapsed < -window then at = now end
  local gained = 0
  if elapsed > 0 then gained = math.min(elapsed * limit, burst * request) end
  spare = math.min(most, spare + math.max(0, sustained + gained - whole))
  sustained = math.min(whole, sustained + gained)
end

local passes = 0
if sustained + spare >= request then
  passes = 1
  local first = math.min(sustained, request)
  sustained = sustained - first
  spare = spare - (request - first)
end

local fullAt = at + math.ceil((burst * request - sustained - spare) / limit)
redis.call('SET', KEYS[1], string.format('%.0f %.0f %.0f', sustained, spare, at), 'PX', string.format('%.0f', fullAt - now + window))
return {passes, sustained, spare, at}
