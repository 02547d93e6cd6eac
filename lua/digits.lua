-- Purpose: whole numbers as text, which redis.call converts faster than numbers, and exactly. The operations of a trip
--   have many in common, such as the time and the expiry of a key, so the text of each is kept.
-- KEYS, ARGV: none.
-- RETURNS: digitsOf(number), the number's decimal digits.
-- Keys written: none.

local format, known = string.format, {}

return function(number)
  local digits = known[number]
  if not digits then
    digits = format('%d', number)
    known[number] = digits
  end
  return digits
end
