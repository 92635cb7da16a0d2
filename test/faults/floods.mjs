// What one stranger, one person or one merchant can use up of what all share: memory, turns, attempts and places in a queue.

const slow = {
  file: 'bff/src/notice/outbox/notice-worker.ts',
  test: 'bff/src/notice/outbox/slow-channels.test.ts',
}
const unread = {
  file: 'bff/src/access/http/unread-responses.ts',
  test: 'bff/src/access/http/unread-responses.test.ts',
}
const documents = {
  file: 'bff/src/access/reference/reference.routes.ts',
  test: 'bff/src/access/reference/unread-documents.test.ts',
}
const lists = { file: 'bff/src/stores/invoices.ts', test: 'bff/src/stores/invoice-lists.test.ts' }
const attacks = { test: 'bff/src/ops/setup/setup-attacks.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const floods = [
  {
    ...slow,
    name: 'A receiver of notices that never responds keeps all others waiting',
    from: '...others.map(({ id }) => sendInTurn([id], signal))',
    to: 'sendInTurn(others.map(({ id }) => id), signal)',
    fails: 'a receiver that never responds, which any person may name, keeps no other channel waiting',
  },
  {
    ...slow,
    name: 'A receiver of notices that fails is asked for each of them',
    from: 'await db.write((tx) => delayNotices(tx, rest, runtime.nowMs() + restMs))',
    to: '',
    fails: 'a channel that fails is asked once, and its other messages wait a minute',
  },
  {
    ...slow,
    name: 'A pass of notices ends while their messages are being sent, and the next sends them too',
    from: 'await Promise.allSettled(passes)',
    to: '',
    fails: 'a pass that cannot store one channel ends once the others are sent',
  },
  {
    ...slow,
    name: 'Mails to a server that does not respond keep new notices of other channels waiting',
    from: 'if (place > 0 && performance.now() - startedMs >= ofOnePassMs) return true',
    to: '',
    fails: 'mails after one that took long go on in the next pass',
  },
  {
    ...slow,
    name: 'A slow receiver of notices keeps the pass from its end',
    from: 'rest.length > 0 && performance.now() - startedMs >= ofOnePassMs',
    to: 'false',
    fails: 'a channel whose messages take long goes on in the next pass, with all of them',
  },
  {
    ...slow,
    name: 'The channels of one merchant come before those of others',
    file: 'bff/src/notice/outbox/notice-store.ts',
    from: 'order by turn, due_at_ms, id limit',
    to: 'order by due_at_ms, id limit',
    fails: 'of many channels that are due, those of each merchant take turns',
  },
  {
    name: 'The endpoints of one merchant take all attempts of webhooks',
    file: 'bff/src/webhook/outbox/endpoint-limiter.ts',
    from: 'if (!shares.take(askerOf(merchantId))) return false',
    to: 'if (underWay >= attemptsMax) return false',
    test: 'bff/src/webhook/outbox/endpoint-limiter.test.ts',
    fails: 'to the endpoints of one merchant, however many or new they are, leave room for those of others',
  },
  {
    ...unread,
    name: 'Unread responses fill the memory',
    from: 'if (total <= max) return []',
    to: 'if (total > 0) return []',
    fails: 'of the network with the most the connections with the most are closed, so that a flood closes its own',
  },
  {
    ...unread,
    name: 'The unread responses of a proxy are cut for those of a stranger',
    from: 'if (network === null || own.open.length === 0 ||',
    to: 'if (own.open.length === 0 ||',
    fails: 'connections of trusted proxies, which carry the responses of everybody, are closed last',
  },
  {
    ...unread,
    name: 'Responses behind an unread one are not counted',
    file: 'bff/src/access/http/listen.ts',
    test: 'bff/src/access/http/listen.test.ts',
    from: 'if (!response.socket) bytes += response.writableLength',
    to: '',
    fails: 'responses that are not read take a bounded memory in all, also those of one connection, and none is cut',
  },
  {
    ...documents,
    name: 'Each unread response has its own copy of the OpenAPI document',
    from: 'return c.body(bytes, 200',
    to: 'return c.body(Uint8Array.from(bytes), 200',
    fails: 'however many do not read the OpenAPI document, its bytes are in memory once',
  },
  {
    ...documents,
    name: 'Made-up hosts fill the memory with pages',
    from: 'byOrigin.size < originsMax',
    to: 'byOrigin.size < 1_000_000',
    fails:
      'however many do not read the pages of the reference, whatever host each names, its bytes are in memory once',
  },
  {
    ...lists,
    name: 'A long list of invoices is read in one turn',
    from: 'await new Promise((resolve) => setImmediate(resolve))',
    to: '',
    fails: 'a long list lets other requests be answered before it, and another list of the merchant waits for it',
  },
  {
    ...lists,
    name: 'All lists of a merchant are in memory at once',
    from: 'Promise.resolve(before?.catch(() => undefined)).then(read)',
    to: 'Promise.resolve().then(read)',
    fails: 'a long list lets other requests be answered before it, and another list of the merchant waits for it',
  },
  {
    ...lists,
    name: 'A list is read for a client that has left',
    from: 'if (left?.aborted) break',
    to: '',
    fails: 'a list is not read on for a client that has left',
  },
  {
    ...lists,
    name: 'A list of invoices by status skips those of each turn',
    from: 'passed++ >= skip',
    to: 'passed++ % stepMax >= skip',
    fails: 'take=12&skip=15&status=Invalid has those invoices, newest first',
  },
  {
    name: 'An invoice is read from all payments that strangers opened by its link',
    file: 'bff/src/stores/invoice-store.ts',
    from: "and link_id is not null and (seen <> '0' or late <> '0')`",
    to: '`',
    test: 'bff/src/db/sqlite/query-plans.test.ts',
    fails: 'of the payments of an invoice those with money are read, and the newest of each status',
  },
  {
    name: 'A list of deliveries reads those of every merchant',
    file: 'bff/src/stores/store-webhook-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = 0\n                      order by',
    to: 'where cast(${merchantId} as text) is not null and is_test = 0\n                      order by',
    test: 'bff/src/db/sqlite/query-plans.test.ts',
    fails: 'the deliveries of a shop’s webhook are found among a bounded number of the merchant’s newest',
  },
  {
    name: 'The numbers of all payments are added up in one turn',
    file: 'bff/src/reports/payment-report.ts',
    from: 'await nextTurn()',
    to: '',
    test: 'bff/src/reports/payment-report.test.ts',
    fails: 'the numbers of many payments let other requests be answered before them',
  },
  {
    name: 'The numbers of payments count the last one of each turn twice',
    file: 'bff/src/reports/payment-report-store.ts',
    from: 'and (created_at_ms, number) < (${after.createdAtMs}, ${after.number})\n         and (created_at_ms, number) >=',
    to: 'and (created_at_ms, number) <= (${after.createdAtMs}, ${after.number})\n         and (created_at_ms, number) >=',
    test: 'bff/src/reports/payment-report.test.ts',
    fails:
      'amounts of tokens with other decimals are added up to the unit, however long, and euros are no dollars: 2 in a turn',
  },
  {
    name: 'A search for an id reads all payments of the merchant',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where id in ${ids} limit ${max}) as found where',
    to: 'where id in ${ids}) as found where',
    test: 'bff/src/db/sqlite/query-plans.test.ts',
    fails:
      'a page of a merchant’s payments is read from its place on, however many there are and whatever is searched for',
  },
  {
    name: 'A search for a transaction reads all payments of the merchant',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'from transfers t cross join payments p',
    to: 'from transfers t join payments p on true',
    test: 'bff/src/db/sqlite/query-plans.test.ts',
    fails:
      'a page of a merchant’s payments is read from its place on, however many there are and whatever is searched for',
  },
  {
    name: 'A viewer fills the audit log',
    file: 'bff/src/access/limits/rate-limit.ts',
    from: 'await changes(session.personId)',
    to: '',
    test: 'bff/src/access/limits/rate-limit.test.ts',
    fails: 'changes of a person that the audit log records are refused, also those that change nothing',
  },
  {
    name: 'One customer uses up the receipts of a day',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: 'sent.ofClient >= ofOneMax',
    to: 'false',
    test: 'bff/src/notice/receipt/receipt-mail.test.ts',
    fails: 'leaves half of the day’s receipts to the others',
  },
  {
    name: 'The key of a shop fills the disk with repeated webhooks',
    file: 'bff/src/stores/webhook-calls.ts',
    from: "await limits.redelivered(c.get('caller'))",
    to: '',
    test: 'bff/src/stores/store-attacks.test.ts',
    fails: 'webhooks that are sent again are slowed down',
  },
  {
    ...attacks,
    name: 'A service is created while its wallet is being verified for a network that is added',
    file: 'bff/src/ops/setup/setup-creation.ts',
    from: 'if (setup.unverified > 0) throw',
    to: 'if (false) throw',
    fails: 'create no service with a wallet that was not verified for a network that is being added',
  },
  {
    ...attacks,
    name: 'An answer that arrives when the service was created is taken for one of its answers',
    file: 'bff/src/ops/setup/setup-app.ts',
    from: "app.use('/setup/api/*', awaitBody())",
    to: '',
    fails: 'take no answer that arrives when the service was created',
  },
]
