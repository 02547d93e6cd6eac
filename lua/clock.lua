-- Purpose: the time of a decision. The server's clock alone decides, read once for all rules of a call.
-- KEYS, ARGV: none.
-- RETURNS: milliseconds since 1970, a whole number.
-- Keys written: none.
local time = redis.call('TIME')
return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
