/*
 * Two names look alike if their skeletons are equal: letters that differ by accents, width, style or case count as one, and so do
 * letters of other scripts, digits and signs that look like a Latin letter (after Unicode Technical Standard 39, section 4, with
 * the part of its table that can imitate a name in Latin letters).
 */

/** Each Latin letter, and what looks like it once it is decomposed and in lower case. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ@4',
  b: 'ьвʙƅ8',
  c: 'сϲᴄⅽ',
  d: 'ԁɗᴅⅾ',
  e: 'еєҽεᴇ3℮',
  f: 'ſϝꜰƒ',
  g: 'ɡցɢ9',
  h: 'һհнʜ',
  i: 'іıɩιɪⅰl1|!ӏⅼߊ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  m: 'мᴍⅿ',
  n: 'ոпηɴ',
  o: 'оοօσᴏ0ߋ௦০०',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гᴦʀɾ',
  s: 'ѕꜱ5$',
  t: 'тτᴛ7',
  u: 'սυʋᴜ',
  v: 'ѵνᴠⅴ',
  w: 'ԝшωᴡ',
  x: 'хχⅹ',
  y: 'уүγʏ',
  z: 'ᴢ2',
}

const folded = new Map(Object.entries(LOOK_ALIKES).flatMap(([letter, like]) => [...like].map((each) => [each, letter])))

/** Returns the skeleton of a name: lower-case letters and digits without spaces. */
export function skeleton(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const letters = Array.from(plain, (each) => folded.get(each) ?? each).join('')
  return letters
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}
