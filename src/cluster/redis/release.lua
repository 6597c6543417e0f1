-- Gives up shards that are still this process's under the epoch that it names, and leaves the cluster where asked to.
--
-- KEYS  1 alive   2 members   3 leases   (see beat.lua)
-- ARGV  1 instance   2 channel for notices   3 "1": leave   4... shard, epoch, shard, epoch...
-- Returns the shards that were given up. Publishes "- instance shard:epoch shard:epoch..." when there were some, and
-- "? instance" when it has left.
local alive, members, leases = KEYS[1], KEYS[2], KEYS[3]
local self, channel, leave = ARGV[1], ARGV[2], ARGV[3] == '1'

local released, news = {}, {}
for i = 4, #ARGV, 2 do
  local shard, epoch = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', leases, shard) == epoch .. ' ' .. self then
    redis.call('HSET', leases, shard, epoch)
    released[#released + 1] = tonumber(shard)
    news[#news + 1] = shard .. ':' .. epoch
  end
end
if #released > 0 then redis.call('PUBLISH', channel, '- ' .. self .. ' ' .. table.concat(news, ' ')) end
if leave then
  redis.call('ZREM', alive, self)
  redis.call('HDEL', members, self)
  redis.call('PUBLISH', channel, '? ' .. self)
end
return released
