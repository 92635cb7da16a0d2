// Where the rights of people are decided: sessions, passkeys, roles, invitations.

/** @type {import('./faults.mjs').Fault[]} */
export const rights = [
  {
    name: "Another person's passkey confirms in a stolen session",
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: 'if (assertion.passkey.personId !== session.personId) throw new PasskeyRefusedError()',
    to: '',
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails:
      'every operation, by every role, session and passkey post /deposits/refund-request/{paymentId}: staff by passkey',
  },
  {
    name: 'Staff reads the audit log',
    file: 'bff/src/dashboard/roles.ts',
    from: "'get /dashboard/audit': owner,",
    to: "'get /dashboard/audit': staff,",
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails: 'every operation, by every role, session and passkey get /dashboard/audit: owner',
  },
  {
    name: 'A refund needs no passkey',
    file: 'bff/src/dashboard/roles.ts',
    from: "{ ...staffByPasskey, audit: 'refund.requested' }",
    to: "{ ...staff, audit: 'refund.requested' }",
    test: 'bff/src/dashboard/people/role-matrix.test.ts',
    fails:
      'every operation, by every role, session and passkey post /deposits/refund-request/{paymentId}: staff by passkey',
  },
  {
    name: 'A viewer sees the address of a link',
    file: 'bff/src/dashboard/roles.ts',
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
    name: 'A confirmation is good in another session',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: 'JSON.stringify([sessionId, method',
    to: 'JSON.stringify([method',
    test: 'bff/src/dashboard/sign-in/confirmation.test.ts',
    fails: 'a signed request is taken once, in the session that asked for it',
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
    name: 'A confirmation of a test is good for live payments',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: ", sha256(body), mode ?? '']",
    to: ', sha256(body)]',
    test: 'bff/src/dashboard/sign-in/confirmation.test.ts',
    fails: 'what is signed for test payments confirms nothing for live ones, and the other way round',
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
    from: `      await passkeys.use(tx, assertion)
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
  {
    name: 'A person who was removed goes on',
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: 'where s.token_sha256 = ${tokenSha256} and s.ends_at_ms > ${nowMs} and p.removed_at_ms is null`)',
    to: 'where s.token_sha256 = ${tokenSha256} and s.ends_at_ms > ${nowMs}`)',
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'a person who was removed has no session, from the next request on',
  },
  {
    name: 'A stream goes on with a role that was taken away',
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: ' and p.role = ${role}`)',
    to: '`)',
    test: 'bff/src/dashboard/people/invitations.test.ts',
    fails: 'a stream of the dashboard ends when the person became a viewer, of which every replica is notified',
  },
  {
    name: "A merchant ends another's sessions",
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: `
         and person_id in (select id from people where merchant_id = \${merchantId})\`)`,
    to: '`)',
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'a session is ended within its merchant alone, whatever its id',
  },
  {
    name: 'Staff ends the sessions of others',
    file: 'bff/src/dashboard/people/people.routes.ts',
    from: "({ id, personId }) => id === sessionId && (own.role === 'owner' || personId === own.personId)",
    to: '({ id }) => id === sessionId',
    test: 'bff/src/dashboard/people/foreign-sessions.test.ts',
    fails: 'nobody ends a session of another merchant’s people, nor another person’s without being an owner',
  },
  {
    name: 'A signature for signing in confirms a change',
    file: 'bff/src/dashboard/sign-in/passkeys.ts',
    from: 'JSON.stringify([purpose, binding])',
    to: 'JSON.stringify([binding])',
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'a challenge is good for one purpose, one binding, and at the service that made it',
  },
  {
    name: 'A challenge is good twice',
    file: 'bff/src/dashboard/sign-in/passkeys.ts',
    from: 'if (!isFirst) throw new PasskeyRefusedError()',
    to: '',
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'a signature of a passkey that counts nothing is good once, for signing in and for a change',
  },
  {
    name: 'A passkey without its PIN signs in',
    file: 'bff/src/dashboard/sign-in/passkeys.ts',
    from: `        requireUserVerification: true,
        credential`,
    to: `        requireUserVerification: false,
        credential`,
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'a passkey that asks for neither a PIN nor a finger is not registered, and does not sign in',
  },
  {
    name: 'The last owner is removed',
    file: 'bff/src/dashboard/people/people.routes.ts',
    from: '(await countOwners(tx, merchantId)) <= 1',
    to: '(await countOwners(tx, merchantId)) < 1',
    test: 'bff/src/dashboard/account/settings.test.ts',
    fails: 'people keep their last owner',
  },
  {
    name: "An owner changes another merchant's people",
    file: 'bff/src/dashboard/people/people.routes.ts',
    from: 'if (known?.merchantId !== merchantId) throw',
    to: 'if (!known) throw',
    test: 'bff/src/dashboard/account/settings.test.ts',
    fails: 'people of another merchant are unknown',
  },
  {
    name: 'A confirmation is good with another query',
    file: 'bff/src/dashboard/sign-in/sessions.ts',
    from: 'return withoutPrefix(pathname) + search',
    to: 'return withoutPrefix(pathname)',
    test: 'bff/src/dashboard/sign-in/confirmation.test.ts',
    fails: 'what is signed without a query confirms no request with one',
  },
  {
    name: "A merchant sees another's sessions",
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: 'where p.merchant_id = ${merchantId} and s.ends_at_ms > ${nowMs}',
    to: "where s.ends_at_ms > ${nowMs} and ${merchantId} <> ''",
    test: 'bff/src/dashboard/people/foreign-sessions.test.ts',
    fails: 'an owner sees the sessions of its own merchant’s people, and everybody else its own',
  },
  {
    name: 'An invitation is good twice',
    file: 'bff/src/dashboard/sign-in/invitation-store.ts',
    from: `set used_at_ms = \${nowMs}
       where token_sha256 = \${tokenSha256} and used_at_ms is null`,
    to: `set used_at_ms = \${nowMs}
       where token_sha256 = \${tokenSha256}`,
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'an invitation is good once, also when two accept it at the same time',
  },
  {
    name: 'An invitation never ends',
    file: 'bff/src/dashboard/sign-in/invitation-store.ts',
    from: `where token_sha256 = \${tokenSha256} and used_at_ms is null and ends_at_ms > \${nowMs} and \${inviterStays}\`)
  return row`,
    to: `where token_sha256 = \${tokenSha256} and used_at_ms is null and \${inviterStays}\`)
  return row`,
    test: 'bff/src/dashboard/sign-in/challenge.test.ts',
    fails: 'an invitation that has ended shows nobody what it was for',
  },
  {
    name: 'A write without an origin is taken',
    file: 'bff/src/dashboard/page/page-origin.ts',
    from: 'from === undefined ? isRead : from === origin',
    to: 'from === undefined || from === origin',
    test: 'bff/src/dashboard/sign-in/sessions.test.ts',
    fails: 'a session is honoured for no write that names no origin',
  },
]
