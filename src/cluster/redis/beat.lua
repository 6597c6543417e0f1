-- A process says that it lives, and is told who else does and who holds which shard.
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
-- ARGV  1 instance   2 its description   3 its lease (ms)   4 a random mark for `born`, should there be none
--       5 channel for notices   6 "1": tell the others, since they must know what has changed in the description
-- Returns { now (ms), born, 1 if the instance was not known before,
--           {instance, expires, ...}, {instance, description, ...}, {shard, lease, ...} }
-- Publishes "? instance" when a process has come, gone, or has something to tell: whoever hears it has to look.
local alive, members, leases, born = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local self, description, lease, mark, channel, tell = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6] == '1'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

redis.call('SET', born, string.format('%.0f-%s', now, mark), 'NX')

-- No lease can end later than one that begins now, unless Redis' clock went back since it was written (a failover to a
-- server whose clock is behind): it ends then one lease from now, or a dead process would keep its shards for as long.
local latest = string.format('%.0f', now + lease)
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', alive, '(' .. latest, '+inf')) do
  redis.call('ZADD', alive, 'XX', latest, instance)
end

local moved = false
for _, instance in ipairs(redis.call('ZRANGEBYSCORE', alive, '-inf', string.format('%.0f', now))) do
  redis.call('ZREM', alive, instance)
  redis.call('HDEL', members, instance)
  moved = true
end
local lives = {}
for _, instance in ipairs(redis.call('ZRANGE', alive, 0, -1)) do lives[instance] = true end
local all = redis.call('HGETALL', leases)
for i = 1, #all, 2 do
  local epoch, owner = string.match(all[i + 1], '^(%d+) (.+)$')
  if owner and not lives[owner] then
    redis.call('HSET', leases, all[i], epoch)
    moved = true
  end
end

local fresh = redis.call('ZADD', alive, latest, self)
redis.call('HSET', members, self, description)
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 86400) end
if moved or fresh == 1 or tell then redis.call('PUBLISH', channel, '? ' .. self) end
return { now, redis.call('GET', born), fresh, redis.call('ZRANGE', alive, 0, -1, 'WITHSCORES'), redis.call('HGETALL', members), redis.call('HGETALL', leases) }
