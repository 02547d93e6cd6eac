import { describe, expect, it } from 'vitest'
import { firstProblem } from '#server/errors/invalid.ts'
import { displayNameSchema, showsUsername, soundsOfficial } from './display-name.ts'

const outcome = (name: string): string => {
  const { success, data, error } = displayNameSchema.safeParse(name)
  return success ? data : `! ${firstProblem(error).slice(0, 23)}`
}

describe('a display name', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  two\t\n words\u00a0\u3000here ', 'two words here'],
    ['Zoe\u0308', 'Zoë'],
    ['李小龍', '李小龍'],
    ['عائشة', 'عائشة'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩\u200d🚀 Ann', '👩\u200d🚀 Ann'],
    ['\u202eevil\u202c\u200b\ufeff', 'evil'],
    ['a\u2066b\u2069\u0000\u0007c', 'abc'],
    ['\u200dAnn\u200d', 'Ann'],
    ['A\u3164n\u115fn', 'Ann'],
    [`Z${'\u0301\u0302\u0303\u0304\u0305\u0306'}algo`, `Ź\u0302\u0303\u0304algo`],
    ['\ud800Ann', '�Ann'],
    ['AT&T "Bob"', 'AT&T "Bob"'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['👩\u200d🚀'.repeat(13), '👩\u200d🚀'.repeat(13)],
  ])('%j becomes %j', (name, cleaned) => expect(outcome(name)).toBe(cleaned))

  it.each([
    ['x'.repeat(41), '! The display name is too'],
    ['x'.repeat(10_000), '! The display name is too'],
    ['', '! A display name needs at'],
    ['\u200b\u2060\u3164', '! A display name needs at'],
    ['... !', '! A display name needs at'],
    ['<b>Ann</b>', '! A display name cannot c'],
    ['<script>alert(1)</script>', '! A display name cannot c'],
  ])('%j is refused', (name, refusal) => expect(outcome(name)).toBe(refusal))

  it.each([
    'admin',
    'ADMIN',
    'Аdmin',
    'аԁⅿіп',
    'ａｄｍｉｎ',
    '𝒂𝒅𝒎𝒊𝒏',
    'Ⓐⓓⓜⓘⓝ',
    'Ⓐⓓⓜⓘⓝ x',
    'adm1n',
    'adrnin',
    'A d m i n',
    'a.d-m_i n',
    'Sluice',
    'S|uice',
    '5luice',
    'Sluice Team',
    'Bob (Admin)',
    'Super Admin',
    'Support',
    'ѕystem',
    'ad\u200bmin',
    'ádmïn',
  ])('%j could be taken for the site', (name) => expect(soundsOfficial(name, 'Sluice')).toBe(true))

  it.each(['Adam', 'Badminton', 'Sly', 'Modesty', 'Supporter', 'Rooty', 'Sluic', 'Ownership'])('%j could not', (name) =>
    expect([outcome(name), soundsOfficial(name, 'Sluice')]).toEqual([name, false]),
  )

  it('could be taken for a site that has another name', () => {
    expect(['Foto Hub', 'f0t0-hub', 'FOTOHUB', 'Foto'].map((name) => soundsOfficial(name, 'FotoHub'))).toEqual([
      ...[true, true, true],
      false,
    ])
  })

  it('is not the user name in other letters', () => {
    expect(['ann.b', 'Ann B', 'АNN-B', 'annb'].map((name) => showsUsername(name, 'ann.b'))).toEqual(Array(4).fill(true))
    expect(['Ann', 'Annabel'].map((name) => showsUsername(name, 'ann.b'))).toEqual([false, false])
  })
})
