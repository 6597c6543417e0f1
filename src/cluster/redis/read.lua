-- The table as it stands; changes nothing.
--
-- KEYS  1 alive   2 members   3 leases   4 born   (see beat.lua)
-- Returns { now (ms), born or "", {instance, expires, ...}, {instance, description, ...}, {shard, lease, ...} }
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return { now, redis.call('GET', KEYS[4]) or '', redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]) }
