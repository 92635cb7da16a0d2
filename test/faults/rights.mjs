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
    fails:
      'every operation, by every role, session and passkey post /deposits/refund-request/{paymentId}: staff by passkey',
  },
  {
    name: 'A viewer sees the address of a link',
    file: 'bff/src/dashboard/people/roles.ts',
    from: "'link.url': 'staff',",
    to: "'link.url': 'viewer',",
    test: 'bff/src/dashboard/people/field-rights.test.ts',
    fails:
      'a viewer, who may neither name the address of a refund nor end a payment is shown no client secret and no payment link by GET /links',
  },
  {
    name: 'A payment that reports to any address needs no passkey',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: "return typeof body === 'object' && body !== null && 'callbackUrl' in body",
    to: 'return false',
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails:
      'every operation, by every role, session and passkey an open session alone has POST /deposits/create send its news to no address of its own',
  },
  {
    name: 'A confirmation is good for another body',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: "path, sha256(body), mode ?? ''",
    to: "path, mode ?? ''",
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a signature of a passkey confirms the request that it was made for, and no other',
  },
  {
    name: 'A confirmation is good for another path',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: 'method.toUpperCase(), path, sha256',
    to: 'method.toUpperCase(), sha256',
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a signature of a passkey confirms the request that it was made for, and no other',
  },
  {
    name: 'A confirmation is good twice',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: `    await db.write((tx) => passkeys.use(tx, assertion))
`,
    to: '',
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a signature of a passkey confirms the request that it was made for, and no other',
  },
  {
    name: "Another site's page uses the session",
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: `      verifySameOrigin(c, page)
`,
    to: '',
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a session is honoured for no request of another site',
  },
  {
    name: 'A session never ends',
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: `and s.ends_at_ms > \${nowMs} and p.removed_at_ms is null\`)
}

type Listed`,
    to: `and p.removed_at_ms is null\`)
}

type Listed`,
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'an invitation for a lost passkey lets the old one in no more, nor the sessions it began',
  },
]
