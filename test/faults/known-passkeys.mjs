// Who signs in by a passkey, and which passkeys a person has.

const folder = 'bff/src/dashboard/sign-in'
const routes = { file: `${folder}/passkey.routes.ts`, test: `${folder}/own-passkeys.test.ts` }
const passkeys = { file: `${folder}/passkeys.ts`, test: `${folder}/own-passkeys.test.ts` }

/** @type {import('./faults.mjs').Fault[]} */
export const knownPasskeys = [
  {
    ...passkeys,
    name: 'Whoever knows the id of a passkey signs in with another key',
    from: 'if (!verified) throw passkeyRefused()',
    to: '',
    fails: 'a signature by another key opens no session and confirms nothing',
  },
  {
    ...passkeys,
    name: 'A device is not told with which passkey of the person to sign',
    from: '...(allowed.length > 0 && { allowCredentials: allowed.map(({ id }) => ({ id })) }),',
    to: '',
    fails: 'a device is asked to sign with a passkey of the person',
  },
  {
    ...routes,
    name: 'A device creates a second passkey for the same person',
    from: 'passkeys: known }',
    to: 'passkeys: [] }',
    fails: 'a device is asked to sign with a passkey of the person, and to create none that it has',
  },
  {
    ...routes,
    name: 'A person adds an eleventh passkey',
    from: '.length >= passkeysMax',
    to: '.length > passkeysMax',
    fails: 'a person has at most ten passkeys',
  },
  {
    ...routes,
    name: 'A passkey that was added is not in the audit log',
    from: "      await audit(tx, caller, { action: 'passkey.added', subject: personName })\n",
    to: '',
    fails: 'each addition is in the audit log',
  },
  {
    ...routes,
    name: 'A passkey that was never used shows when it was added as its last use',
    from: 'lastUsedAt: iso(lastUsedAtMs)',
    to: 'lastUsedAt: iso(createdAtMs)',
    fails: 'each with the time of its last use',
  },
  {
    name: 'A page with a test key reads and ends the live payments of pages',
    file: 'bff/src/checkout/access.ts',
    from: "return payment.isTest && (caller.kind === 'api'",
    to: "return (caller.kind === 'api'",
    test: 'bff/src/checkout/access-matrix.test.ts',
    fails: 'the client secret gives other merchants’ keys and test keys no additional rights',
  },
]
