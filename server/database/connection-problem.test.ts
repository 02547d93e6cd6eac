import { expect, test } from 'vitest'
import { databasePlace, describeConnectionProblem } from './connection-problem.ts'

test.each([
  ['postgres://ann:secret@db.example:5433/site', 'db.example:5433/site'],
  ['postgres://ann@%2Frun%2Fpostgresql/site', 'unix:/run/postgresql/site'],
  ['postgres:///site?host=/run/postgresql&user=ann', 'unix:/run/postgresql/site'],
  ['postgres:///site?host=db.example', 'db.example/site'],
])('names the place of %s', (url, place) => {
  expect(databasePlace(url)).toBe(place)
})

test.each([
  ['The server does not support SSL connections', '', 'Remove sslmode from the URL.'],
  [
    'no pg_hba.conf entry for host "192.0.2.1", user "ann", database "site", no encryption',
    '28000',
    'Add ?sslmode=verify-full to the URL.',
  ],
  [
    'password authentication failed for user "ann"',
    '28P01',
    'Correct the password. In the URL, write % as %25, @ as %40, / as %2F, # as %23.',
  ],
  [
    'self-signed certificate',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'Add &sslrootcert= with the file of its issuer, or write sslmode=no-verify to accept any certificate.',
  ],
  ['role "ann" does not exist', '28000', 'Correct the setting, or start the database.'],
])('says what to do about: %s', (message, code, remedy) => {
  const error = Object.assign(new Error(message), { code })
  expect(describeConnectionProblem('postgres://ann:secret@db.example/site', error)).toBe(
    `no connection to db.example/site: ${message}. ${remedy}`,
  )
})
