-- Purpose: numbers in one string: eight bytes each, exact, and small enough that Redis keeps key and value in one piece.
-- KEYS, ARGV: none of its own; a caller names the key.
-- RETURNS: { isWhole, load, save }. isWhole(number) says whether it is one that we keep: whole, not negative, below 2^53.
--   load(key, count) gives the string, nil where the key holds none of so many numbers. save(key, text, milliseconds) keeps
--   a string for so long.
-- Keys written: the one that save names; it expires after the milliseconds, at least 1.

local get, call, ceil, format = redis.pcall, redis.call, math.ceil, string.format

local function isWhole(number)
  return number >= 0 and number < 2 ^ 53 and number % 1 == 0
end

local function load(key, count)
  local text = get('GET', key)
  -- An error, for it is no string, has no length.
  return text and #text == 8 * count and text or nil
end

local function save(key, text, milliseconds)
  -- As text, which Redis takes faster than a number.
  call('SET', key, text, 'PX', milliseconds > 1 and format('%d', ceil(milliseconds)) or '1')
end

return { isWhole = isWhole, load = load, save = save }
