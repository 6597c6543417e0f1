-- Gives up shards that are still this process's under the epoch that it names, and leaves the cluster where asked to.
--
-- KEYS  1 alive   2 members   3 leases   4 news   5 version   (see beat.lua)
-- ARGV  1 instance   2 channel for notices   3 "1": leave   4... shard, epoch, shard, epoch...
-- Returns the shards that were given up. Publishes "- instance shard:epoch shard:epoch... r=version" when there were some,
-- and "? instance r=version" when a worker has left. Who leaves holds nothing afterwards.
local alive, members, leases, news, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local self, channel, leave = ARGV[1], ARGV[2], ARGV[3] == '1'

local released, told, counted = {}, {}, nil
for i = 4, #ARGV, 2 do
  local shard, epoch = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', leases, shard) == epoch .. ' ' .. self then
    redis.call('HSET', leases, shard, epoch)
    released[#released + 1] = tonumber(shard)
    told[#told + 1] = shard .. ':' .. epoch
    counted = counted or redis.call('HINCRBY', version, 'n', 1)
    redis.call('ZADD', news, counted, 's:' .. shard)
  end
end
if #released > 0 then redis.call('PUBLISH', channel, '- ' .. self .. ' ' .. table.concat(told, ' ') .. ' r=' .. counted) end
if leave then
  local of = redis.call('HGET', members, self)
  local n = redis.call('HINCRBY', version, 'n', 1)
  redis.call('ZREM', alive, self)
  redis.call('HDEL', members, self)
  redis.call('ZADD', news, n, 'm:' .. self)
  local held = redis.call('HGETALL', leases)
  for i = 1, #held, 2 do
    local epoch, owner = string.match(held[i + 1], '^(%d+) (.+)$')
    if owner == self then
      redis.call('HSET', leases, held[i], epoch)
      redis.call('ZADD', news, n, 's:' .. held[i])
    end
  end
  if not (of and string.find(of, '"role":"gateway"', 1, true)) then
    redis.call('PUBLISH', channel, '? ' .. self .. ' r=' .. n)
  end
end
return released
