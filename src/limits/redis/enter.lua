-- Gives an id a slot among those of a key, or renews the one that it has, as ../in-memory.ts does: what expired is let
-- go when a slot is wanted and none is free.
--
-- KEYS[1]  sorted set: who holds a slot, by when it ends (ms, the caller's)
-- ARGV     max, id, now (ms, the caller's), holdMs
-- returns  1 where the id holds a slot now, else 0
--
-- Slots that end more than two holdMs ahead were entered by a clock that is that much ahead, or before this one went
-- back: they count as entered now, so that they end. The key expires two holdMs after its last change, when every slot
-- in it has ended, also for a caller whose clock is up to holdMs behind.
local max, id, now, hold = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local held = KEYS[1]

for _, other in ipairs(redis.call('ZRANGEBYSCORE', held, '(' .. string.format('%.0f', now + 2 * hold), '+inf')) do
  redis.call('ZADD', held, string.format('%.0f', now + hold), other)
end

if not redis.call('ZSCORE', held, id) and redis.call('ZCARD', held) >= max then
  redis.call('ZREMRANGEBYSCORE', held, '-inf', string.format('%.0f', now))
  if redis.call('ZCARD', held) >= max then return 0 end
end

redis.call('ZADD', held, string.format('%.0f', now + hold), id)
redis.call('PEXPIRE', held, 2 * hold)
return 1
