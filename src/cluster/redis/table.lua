-- The lease table: its keys, and what the scripts that change it share (each of them begins with this file).
--
-- Time is Redis' own, so clocks of processes do not count. A process lives until its lease time after its last beat has
-- passed, and its shards are its own for as long as it lives: there is no other expiry.
--
-- KEYS  1 alive    sorted set: instance -> when it expires (ms)
--       2 members  hash: instance -> its description (JSON)
--       3 leases   hash: shard -> "epoch owner", or "epoch" while nobody holds it
--       4 born     string "ms-mark": since when this table exists; a Redis that was emptied has a new one
--       5 news     sorted set: "m:instance" or "s:shard" -> the version in which it changed last, also of who is gone
--       6 version  hash: n -> the version, which counts changes; floor -> the oldest version since which news is complete;
--                  told -> the version that the last notice led to
-- ARGV  1 instance   2 channel for notices   3... of the script
local alive, members, leases, born, news, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local self, channel = ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function lives(instance)
  local expires = redis.call('ZSCORE', alive, instance)
  return expires and tonumber(expires) > now
end

local function counter(name)
  return tonumber(redis.call('HGET', version, name) or '0')
end

-- All that one call changes is one version.
local counted
local function changed(name)
  counted = counted or redis.call('HINCRBY', version, 'n', 1)
  redis.call('ZADD', news, counted, name)
end

-- How long until the first of the others expires, ms; 0 if there is none.
local function firstEnd()
  local first = redis.call('ZRANGE', alive, 0, 1, 'WITHSCORES')
  local at = first[1] == self and 4 or 2
  return first[at] and math.max(1, tonumber(first[at]) - now) or 0
end

-- {instance, description or "" if it is gone, ...}, {shard, lease, ...}: what has changed since, as it is now.
local function changedSince(known)
  local changedMembers, changedLeases = {}, {}
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', news, '(' .. known, '+inf')) do
    local id = string.sub(name, 3)
    local isMember = string.sub(name, 1, 1) == 'm'
    local list = isMember and changedMembers or changedLeases
    list[#list + 1] = id
    list[#list + 1] = redis.call('HGET', isMember and members or leases, id) or ''
  end
  return changedMembers, changedLeases
end

-- Publishes what has changed since the last notice, so that nobody has to read it: {"born", "since" and "version", "first"
-- (firstEnd), "members": {instance: description}, "leases": {lease: [shard, ...]}}. What is longer than that is worth for
-- so many is left out: who does not know of it yet has to read it.
local mostTold = 65536
local function tell()
  local n, since = counter('n'), math.max(counter('told'), counter('floor'))
  local function notice(from, changedMembers, changedLeases)
    local descriptions, shards = {}, {}
    for i = 1, #changedMembers, 2 do descriptions[changedMembers[i]] = changedMembers[i + 1] end
    for i = 1, #changedLeases, 2 do
      local lease = changedLeases[i + 1]
      shards[lease] = shards[lease] or {}
      table.insert(shards[lease], tonumber(changedLeases[i]))
    end
    return cjson.encode({
      born = redis.call('GET', born) or '', since = from, version = n, first = firstEnd(),
      members = descriptions, leases = shards
    })
  end
  local text = notice(since, changedSince(since))
  if #text > mostTold then text = notice(n, {}, {}) end
  redis.call('HSET', version, 'told', n)
  redis.call('PUBLISH', channel, text)
end
