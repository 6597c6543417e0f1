-- A process says that it lives, and is told who else does and who holds which shard: all of it, or what has changed since
-- the version of the table that it knows.
--
-- Time is Redis' own, so clocks of processes do not count. A process lives until its lease time after its last beat has
-- passed, and its shards are its own for as long as it lives: there is no other expiry. All processes have the same
-- lease time (identity.ts refuses another), so none ends more than that after now, also where Redis' clock went back.
-- Who has expired is removed here, whoever calls, and the shards of whoever does not live are free; their epochs stay.
--
-- KEYS  1 alive    sorted set: instance -> when it expires (ms)
--       2 members  hash: instance -> its description (JSON)
--       3 leases   hash: shard -> "epoch owner", or "epoch" while nobody holds it
--       4 born     string "ms-mark": since when this table exists; a Redis that was emptied has a new one
--       5 news     sorted set: "m:instance" or "s:shard" -> the version in which it changed last, also of who is gone
--       6 version  hash: n -> the version, which counts changes; floor -> the oldest version since which news is complete
-- ARGV  1 instance   2 its description   3 its lease (ms)   4 a random mark for `born`, should there be none
--       5 channel for notices   6 "1": tell the others, since they must know what has changed in the description
--       7 "1": nobody is told that it comes (a gateway, which holds nothing)   8 the `born` and 9 the version it knows, or ""
-- Returns { now (ms), born, 1 if the instance was not known before, version, when the first of the others expires (ms) or 0,
--           1 if what follows is all and not what has changed,
--           {instance, description or "" if it is gone, ...}, {shard, lease or "", ...} }
-- Publishes "? instance r=version" when a worker has come, gone, or has something to tell: whoever hears it has to look.
local alive, members, leases, born, news, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local self, description, lease, mark, channel = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local tell, quiet, knownBorn, known = ARGV[6] == '1', ARGV[7] == '1', ARGV[8], tonumber(ARGV[9])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

redis.call('SET', born, string.format('%.0f-%s', now, mark), 'NX')
local table = redis.call('GET', born)

local counted
local function changed(name)
  counted = counted or redis.call('HINCRBY', version, 'n', 1)
  redis.call('ZADD', news, counted, name)
end

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
if fresh == 1 or tell then changed('m:' .. self) end

local floor = tonumber(redis.call('HGET', version, 'floor') or '0')
local all = knownBorn ~= table or not known or known < floor
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

local n = tonumber(redis.call('HGET', version, 'n') or '0')
local whole, changedMembers, changedLeases = 0, {}, {}
if all then
  whole, changedMembers, changedLeases = 1, redis.call('HGETALL', members), redis.call('HGETALL', leases)
elseif known < n then
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', news, '(' .. known, '+inf')) do
    local id = string.sub(name, 3)
    local isMember = string.sub(name, 1, 1) == 'm'
    local list = isMember and changedMembers or changedLeases
    list[#list + 1] = id
    list[#list + 1] = redis.call('HGET', isMember and members or leases, id) or ''
  end
end

local first = 0
for i, part in ipairs(redis.call('ZRANGE', alive, 0, 1, 'WITHSCORES')) do
  if i % 2 == 1 then first = part ~= self and first == 0 and -1 or first
  elseif first == -1 then first = tonumber(part) end
end

if counted then
  local many = redis.call('ZCARD', news) - 4096
  if many > 0 then
    local last = redis.call('ZRANGE', news, many + 1023, many + 1023, 'WITHSCORES')
    redis.call('HSET', version, 'floor', last[2])
    redis.call('ZREMRANGEBYSCORE', news, '-inf', last[2])
  end
end
if redis.call('TTL', alive) < 43200 or redis.call('TTL', leases) == -1 or counted then
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 86400) end
end
if moved or tell or (fresh == 1 and not quiet) then redis.call('PUBLISH', channel, '? ' .. self .. ' r=' .. n) end
return { now, table, fresh, n, first, whole, changedMembers, changedLeases }
