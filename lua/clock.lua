-- Purpose: the time of a decision, by the clock of the Redis server alone. It is read once for a whole trip.
-- KEYS, ARGV: none.
-- RETURNS: milliseconds since 1970, a whole number.
-- Keys written: none.
local time = redis.call('TIME')
return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
