-- Purpose: stores numbers as one string of 8-byte doubles: exact, and compact enough for one allocation in Redis.
-- KEYS, ARGV: none of its own; the caller passes the key.
-- RETURNS: { isWhole, load, save }. isWhole(number): whether it is a number as these scripts store them: whole, not
--   negative, below 2^53. load(key, count): the string, nil when the key does not hold `count` numbers. save(key, text,
--   milliseconds): stores the string with that expiry.
-- Keys written: the key passed to save; it expires after the given milliseconds, at least 1.

local get, call, ceil, format = redis.pcall, redis.call, math.ceil, string.format

local function isWhole(number)
  return number >= 0 and number < 2 ^ 53 and number % 1 == 0
end

local function load(key, count)
  local text = get('GET', key)
  -- An error reply (WRONGTYPE) is a table, whose length 0 matches no count.
  return text and #text == 8 * count and text or nil
end

local function save(key, text, milliseconds)
  -- As text, which redis.call converts faster than a number.
  call('SET', key, text, 'PX', milliseconds > 1 and format('%d', ceil(milliseconds)) or '1')
end

return { isWhole = isWhole, load = load, save = save }
