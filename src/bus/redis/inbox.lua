-- Keeps the inbox of a process: a stream that is there, be it empty, for as long as its reader renews it. Others send
-- with NOMKSTREAM, so what is sent to a process that has ended is refused.
-- KEYS[1]  the stream, <prefix>in:{<instance>}
-- ARGV[1]  ms after which it goes unless it is renewed
local kind = redis.call('TYPE', KEYS[1])['ok']
if kind ~= 'stream' then
  if kind ~= 'none' then redis.call('DEL', KEYS[1]) end
  redis.call('XGROUP', 'CREATE', KEYS[1], 'reader', '$', 'MKSTREAM') -- the one command that makes an empty stream; the group is not used
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
