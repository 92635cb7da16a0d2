// Where rights are decided: sessions, passkeys, roles, keys, limits.

/** @type {import('./faults.mjs').Fault[]} */
export const rights = [
  {
    name: 'Staff reads the audit log',
    file: 'bff/src/dashboard/people/roles.ts',
    from: "'get /dashboard/audit': owner,",
    to: "'get /dashboard/audit': staff,",
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails: 'every operation, by every role, session and passkey get /dashboard/audit: owner',
  },
  {
    name: 'A refund needs no passkey',
    file: 'bff/src/dashboard/people/roles.ts',
    from: "{ ...staffByPasskey, audit: 'refund.requested' }",
    to: "{ ...staff, audit: 'refund.requested' }",
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails: 'every operation, by every role, session and passkey post /deposits/refund-request/{paymentId}: staff by passkey',
  },
  {
    name: 'A viewer sees the address of a link',
    file: 'bff/src/dashboard/people/roles.ts',
    from: "'link.url': 'staff',",
    to: "'link.url': 'viewer',",
    test: 'bff/src/dashboard/people/field-rights.test.ts',
    fails: 'a viewer, who may neither name the address of a refund nor end a payment is shown no client secret and no payment link by GET /links',
  },
  {
    name: 'A payment that reports to any address needs no passkey',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: "return typeof body === 'object' && body !== null && 'callbackUrl' in body",
    to: 'return false',
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails: 'every operation, by every role, session and passkey an open session alone has POST /deposits/create send its news to no address of its own',
  },
  {
    name: 'A confirmation is good for another body',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: "path, sha256(body), mode ?? ''",
    to: "path, mode ?? ''",
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a signature of a passkey confirms the request that it was made for, and no other',
  },
]
