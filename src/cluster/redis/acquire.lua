-- Takes shards that nobody holds, or that are this process's own already (it has lost count of them, or has been away),
-- in the lease table (table.lua), and tells of it.
--
-- ARGV  3 epoch, counted in the database   4... shards
-- Returns the shards that were taken; nil where the instance does not live, so that it holds nothing and must beat
-- first. A shard whose epoch is as high or higher is not taken.
if not lives(self) then return nil end

local epoch, taken = tonumber(ARGV[3]), {}
for i = 4, #ARGV do
  local shard = ARGV[i]
  local before, owner = string.match(redis.call('HGET', leases, shard) or '', '^(%d+) ?(.*)$')
  before, owner = tonumber(before or 0), owner or '' -- what cannot be read counts as never held
  if before < epoch and (owner == '' or owner == self or not lives(owner)) then
    redis.call('HSET', leases, shard, ARGV[3] .. ' ' .. self)
    taken[#taken + 1] = tonumber(shard)
    changed('s:' .. shard)
  end
end
if counted then tell() end
return taken
