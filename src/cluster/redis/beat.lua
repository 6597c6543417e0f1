-- A process says that it lives, and is told who else does and who holds which shard: all of it, or what has changed since
-- the version of the table that it knows (table.lua).
--
-- All processes have the same lease time (identity.ts refuses another), so none ends more than that after now, also where
-- Redis' clock went back. Who has expired is removed here, whoever calls, and the shards of whoever does not live are
-- free; their epochs stay.
--
-- ARGV  3 its description   4 its lease (ms)   5 a random mark for `born`, should there be none
--       6 "1": tell the others, since they must know what has changed in the description
--       7 "1": nobody is told that it comes (a gateway, which holds nothing)   8 the `born` and 9 the version it knows, or ""
-- Returns { now (ms), born, 1 if the instance was not known before, version, firstEnd, 1 if what follows is all and not
--           what has changed, {instance, description or "", ...}, {shard, lease, ...} }
-- Tells when a worker has come, gone, or has something to tell.
local description, lease, mark = ARGV[3], tonumber(ARGV[4]), ARGV[5]
local isTold, quiet, knownBorn, known = ARGV[6] == '1', ARGV[7] == '1', ARGV[8], tonumber(ARGV[9])

redis.call('SET', born, string.format('%.0f-%s', now, mark), 'NX')
local name = redis.call('GET', born)

-- No lease can end later than one that begins now, unless Redis' clock went back since it was written (a failover to a
-- server whose clock is behind): it ends then one lease from now, or a dead process would keep its shards for as long.
local latest = string.format('%.0f', now + lease)
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', alive, '(' .. latest, '+inf')) do
  redis.call('ZADD', alive, 'XX', latest, instance)
end

local moved, lapsed = false, false
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', string.format('%.0f', now))) do
  local of = redis.call('HGET', members, instance)
  moved = moved or not (of and string.find(of, '"role":"gateway"', 1, true))
  lapsed = lapsed or instance == self
  redis.call('ZREM', alive, instance)
  redis.call('HDEL', members, instance)
  changed('m:' .. instance)
end

local fresh = redis.call('ZADD', alive, latest, self)
redis.call('HSET', members, self, description)
if fresh == 1 or isTold then changed('m:' .. self) end

-- A version that is yet to come is known from before a failover to a server that lacked it.
local all = knownBorn ~= name or not known or known < counter('floor') or known > counter('n')
-- An owner is missing only if it has expired, or left without giving up what it held. Who has expired and comes back
-- holds nothing.
if moved or all then
  local held = redis.call('HGETALL', leases)
  for i = 1, #held, 2 do
    local epoch, owner = string.match(held[i + 1], '^(%d+) (.+)$')
    if owner and (not redis.call('ZSCORE', alive, owner) or lapsed and owner == self) then
      redis.call('HSET', leases, held[i], epoch)
      changed('s:' .. held[i])
      moved = true
    end
  end
end

local n = counter('n')
local changedMembers, changedLeases = {}, {}
if all then changedMembers, changedLeases = redis.call('HGETALL', members), redis.call('HGETALL', leases)
elseif known < n then changedMembers, changedLeases = changedSince(known) end

if counted then
  local many = redis.call('ZCARD', news) - 4096
  if many > 0 then
    local last = redis.call('ZRANGE', news, many + 1023, many + 1023, 'WITHSCORES')
    redis.call('HSET', version, 'floor', last[2])
    redis.call('ZREMRANGEBYSCORE', news, '-inf', last[2])
  end
end
if moved or isTold or (fresh == 1 and not quiet) then tell() end
if redis.call('TTL', alive) < 43200 or redis.call('TTL', leases) == -1 or counted then
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 86400) end
end
return { now, name, fresh, n, firstEnd(), all and 1 or 0, changedMembers, changedLeases }
