-- Gives up shards that are still this process's under the epoch that it names, in the lease table (table.lua), and leaves
-- the cluster where asked to. Who leaves holds nothing afterwards.
--
-- ARGV  3 "1": leave   4... shard, epoch, shard, epoch...
-- Returns the shards that were given up. Tells of them, and of a worker that has left.
local leave, released, of = ARGV[3] == '1', {}, nil

for i = 4, #ARGV, 2 do
  local shard, epoch = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', leases, shard) == epoch .. ' ' .. self then
    redis.call('HSET', leases, shard, epoch)
    released[#released + 1] = tonumber(shard)
    changed('s:' .. shard)
  end
end
if leave then
  of = redis.call('HGET', members, self)
  redis.call('ZREM', alive, self)
  redis.call('HDEL', members, self)
  changed('m:' .. self)
  local held = redis.call('HGETALL', leases)
  for i = 1, #held, 2 do
    local epoch, owner = string.match(held[i + 1], '^(%d+) (.+)$')
    if owner == self then
      redis.call('HSET', leases, held[i], epoch)
      changed('s:' .. held[i])
    end
  end
end
if #released > 0 or leave and not (of and string.find(of, '"role":"gateway"', 1, true)) then tell() end
return released
