-- Takes shards that nobody holds, or that are this process's own already (it has lost count of them, or has been away).
--
-- KEYS  1 alive   2 leases   3 news   4 version   (see beat.lua)
-- ARGV  1 instance   2 epoch, counted in the database   3 channel for notices   4... shards
-- Returns the shards that were taken; nil where the instance does not live, so that it holds nothing and must beat
-- first. A shard whose epoch is as high or higher is not taken. Publishes "+ instance shard:epoch shard:epoch...
-- r=version" when some were taken.
local alive, leases, news, version = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local self, epoch, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function lives(instance)
  local expires = redis.call('ZSCORE', alive, instance)
  return expires and tonumber(expires) > now
end
if not lives(self) then return nil end

local taken, told, counted = {}, {}, nil
for i = 4, #ARGV do
  local shard = ARGV[i]
  local before, owner = string.match(redis.call('HGET', leases, shard) or '', '^(%d+) ?(.*)$')
  before, owner = tonumber(before or 0), owner or '' -- what cannot be read counts as never held
  if before < epoch and (owner == '' or owner == self or not lives(owner)) then
    redis.call('HSET', leases, shard, ARGV[2] .. ' ' .. self)
    taken[#taken + 1] = tonumber(shard)
    told[#told + 1] = shard .. ':' .. ARGV[2]
    counted = counted or redis.call('HINCRBY', version, 'n', 1)
    redis.call('ZADD', news, counted, 's:' .. shard)
  end
end
if #taken > 0 then redis.call('PUBLISH', channel, '+ ' .. self .. ' ' .. table.concat(told, ' ') .. ' r=' .. counted) end
return taken
