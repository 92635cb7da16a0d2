// What a signature or a target of a webhook, the requirements and the words of x402, and the refusal of late money must not say.

const sign = { file: 'bff/src/webhook/send/sign.ts', test: 'bff/src/webhook/send/sign.test.ts' }
const messages = { ...sign, fails: 'the id of a message is that of its event in its payment' }
const wire = { file: 'bff/src/checkout/x402/x402-wire.ts', test: 'bff/src/checkout/x402/x402-wire.test.ts' }
const same = { ...wire, fails: 'requirements are the same if every field that binds is' }
const cases = { ...wire, fails: 'the case of an address is a checksum on EVM, and another address on Solana' }
const memo = { ...wire, fails: 'a memo may be left out, because the address says which deposit it is' }
const proofs = { ...wire, fails: 'a proof is base64 of JSON of version 2, at most 16,384 characters long' }
const answers = 'bff/src/checkout/x402/facilitator-answers.test.ts'
const facilitator = {
  file: 'bff/src/checkout/x402/facilitator.ts',
  test: answers,
  fails: 'a proof on its way is to be asked for again',
}
const offers = { file: 'bff/src/checkout/x402/x402-payments.ts', test: answers }
const charges = { ...offers, fails: 'a charge is refused before it is made, in a test and for a token' }
const dashboard = 'bff/src/dashboard/account'
const wallets = { file: `${dashboard}/wallets.routes.ts`, test: `${dashboard}/settings.test.ts` }
const bound = { ...wallets, fails: 'is proven by a text that was made for it, its network and its merchant alone' }
const keys = { ...wallets, file: `${dashboard}/keys.routes.ts`, fails: 'is rotated while a shop uses the old one' }
const refusal = { file: 'bff/src/checkout/x402/x402-refusal.ts', test: wire.test }

/** @type {import('./faults.mjs').Fault[]} */
export const signedTexts = [
  {
    ...sign,
    name: 'A secret of 64 bytes does not sign',
    from: 'key.length > secretBytesMax',
    to: 'key.length >= secretBytesMax',
    fails: 'a secret of 64 bytes signs',
  },
  {
    ...sign,
    name: 'An id with a space splits the list of signatures',
    from: '^[^.\\s]+$',
    to: '^[^.]+$',
    fails: 'an id or time with a dot is not signed',
  },
  {
    ...sign,
    name: 'A secret of another kind signs',
    from: "secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : ''",
    to: 'secret.slice(secretPrefix.length)',
    fails: 'a secret that is malformed (another prefix) is refused',
  },
  { ...messages, name: 'All test events have one id', from: 'paymentId === null ? ', to: 'false ? ' },
  {
    file: 'bff/src/webhook/send/public-address.ts',
    test: 'bff/src/webhook/send/public-address.test.ts',
    name: 'Half of multicast is public',
    from: '224.0.0.0/4',
    to: '224.0.0.0/5',
    fails: 'multicast: from 224.0.0.0 to 239.255.255.255 is not public',
  },
  {
    file: 'bff/src/checkout/accept-late.ts',
    test: 'bff/src/checkout/accept-late.test.ts',
    name: 'The refusal of late money says only what came late',
    from: 'amount(availableOf(payment))',
    to: 'amount(payment.late)',
    fails: 'what has arrived is what came in time and late together',
  },
  {
    ...facilitator,
    name: 'A proof that is on its way is called a repeat',
    from: "state === 'paid' && (await use(id, asked, callId))",
    to: '(await use(id, asked, callId))',
  },
  {
    ...facilitator,
    name: 'A proof whose money has gone is to be asked for again for ever',
    from: 'throw duplicateSettlement()\n    })',
    to: 'return false\n    })',
  },
  {
    ...offers,
    name: 'A payment from another chain is paid by x402 on its own',
    from: "payment.mode !== 'deposit' || payment.bridge !== undefined",
    to: "payment.mode !== 'deposit'",
    fails: 'x402 pays live deposits on their own network alone',
  },
  {
    ...charges,
    name: 'A charge is made in a test',
    from: "if (isTest) throw notOffered('it is a test payment')\n    if (!takes",
    to: 'if (!takes',
  },
  {
    ...charges,
    name: 'A charge in a token in lower case is not checked',
    from: 'currency.toUpperCase()',
    to: 'currency',
  },
  {
    ...bound,
    name: 'A text of one merchant proves the wallet of another',
    from: 'JSON.stringify([merchantId, network, address, source])',
    to: 'JSON.stringify([network, address, source])',
  },
  {
    ...bound,
    name: 'A text of one network proves the wallet of another',
    from: 'JSON.stringify([merchantId, network, address, source])',
    to: 'JSON.stringify([merchantId, address, source])',
  },
  {
    ...bound,
    name: 'A text for one address proves another',
    from: 'JSON.stringify([merchantId, network, address, source])',
    to: 'JSON.stringify([merchantId, network, source])',
  },
  {
    ...keys,
    name: 'A rotated key ends in milliseconds',
    from: 'overlapHours * hourMs, caller.merchantId',
    to: 'overlapHours, caller.merchantId',
  },
  {
    ...keys,
    name: 'A rotated key seems to have ended while a shop uses it',
    from: 'row.endsAtMs === null || row.endsAtMs > nowMs',
    to: 'row.endsAtMs === null',
  },
  {
    ...keys,
    name: 'A key seems to be good in the moment when it ends',
    from: 'row.endsAtMs > nowMs',
    to: 'row.endsAtMs >= nowMs',
  },
  {
    ...wallets,
    file: `${dashboard}/settings.routes.ts`,
    name: 'A new name of a merchant is only shown',
    from: 'await saveName(tx, caller.merchantId, after.name)',
    to: '',
    fails: 'settings are changed with an owner’s passkey',
  },
  { ...same, name: 'Another scheme of x402 is ours', from: 'given.scheme === ours.scheme &&', to: '' },
  {
    ...same,
    name: 'A field of the token’s domain may be left out',
    from: 'named === value || (named === undefined && optionalExtra.has(name))',
    to: 'named === value || named === undefined',
  },
  {
    ...cases,
    name: 'Addresses on Solana are compared without their case',
    from: '(/^0x[0-9a-f]{40}$/i.test(one) && one.toLowerCase() === other.toLowerCase())',
    to: 'one.toLowerCase() === other.toLowerCase()',
  },
  {
    ...cases,
    name: 'An address on EVM without its checksum is another',
    from: ' || (/^0x[0-9a-f]{40}$/i.test(one) && one.toLowerCase() === other.toLowerCase())',
    to: '',
  },
  {
    ...memo,
    name: 'Requirements without a memo are another payment’s',
    from: ' || (named === undefined && optionalExtra.has(name))',
    to: '',
  },
  {
    ...memo,
    name: 'Requirements with the memo of another payment are ours',
    from: '(named === undefined && optionalExtra.has(name))',
    to: 'optionalExtra.has(name)',
  },
  {
    ...proofs,
    name: 'A proof may have any length',
    from: 'if (header.length > proofCharsMax) throw',
    to: 'if (false) throw',
  },
  {
    ...proofs,
    name: 'The longest proof is refused',
    from: 'if (header.length > proofCharsMax) throw',
    to: 'if (header.length >= proofCharsMax) throw',
  },
  {
    ...wire,
    name: 'An amount of a proof only contains a digit',
    from: 'regex(/^\\d{1,78}$/',
    to: 'regex(/\\d/',
    fails: 'is no amount of a proof',
  },
  {
    ...refusal,
    name: 'The reasons of a network are unexpected errors',
    from: 'reasons[code] ?? ofScheme[code] ??',
    to: 'reasons[code] ??',
    fails: 'INVALID_SIGNATURE is in the words of x402',
  },
  {
    ...refusal,
    name: 'Money that came too late has no transaction',
    from: 'fields: { transactionHash } }',
    to: '}',
    fails: 'a refusal after the transfer has its transaction',
  },
]
