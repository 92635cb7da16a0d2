// Where the first set-up, the merchant's pages and the amounts that people type are decided.

const access = { file: 'bff/src/ops/setup/setup-access.ts', test: 'bff/src/ops/setup/setup-access.test.ts' }
const deposits = { file: 'bff/src/ops/setup/setup-deposits.ts', test: 'bff/src/ops/setup/setup-deposits.test.ts' }
const attacks = { test: 'bff/src/ops/setup/setup-attacks.test.ts' }
const proof = { file: 'bff/src/ops/setup/prove-wallet.ts', test: 'bff/src/ops/setup/prove-wallet.test.ts' }
const store = {
  file: 'bff/src/merchant/branding-store.ts',
  test: 'bff/src/merchant/branding-store.test.ts',
  fails: 'a merchant’s colour and logo change on no other merchant’s pages',
}
const color = {
  file: 'bff/src/merchant/branding.ts',
  test: 'bff/src/merchant/branding.test.ts',
  fails: 'a colour is the whole text',
}
const link = { ...color, fails: 'a link of the pages has neither user nor password' }

const owed = {
  file: 'bff/src/reports/attention.ts',
  test: 'bff/src/reports/attention.test.ts',
  fails: 'of unmatched money only what waits for the action is named',
}

/** @type {import('./faults.mjs').Fault[]} */
export const setups = [
  {
    ...attacks,
    name: 'The owner’s requests are counted with those of strangers behind the same proxy',
    file: 'bff/src/ops/setup/setup-app.ts',
    from: 'if (!isOpening && !access.isOpenTo((name) => getCookie(c, name))) await',
    to: 'if (!isOpening) await',
    fails: 'cannot make the owner wait',
  },
  {
    ...attacks,
    name: 'A smart wallet that is typed again is taken where it does not exist',
    file: 'bff/src/ops/setup/contract-wallet.ts',
    from: 'if (there && absent) throw',
    to: 'if (false) throw',
    fails: 'is refused by name when it exists on one network only',
  },
  {
    ...attacks,
    name: 'The service starts while a contract is deployed',
    file: 'bff/src/ops/setup/setup-creation.ts',
    from: 'if (setup.isStarted || isDeploying) throw',
    to: 'if (setup.isStarted) throw',
    fails: 'runs once at a time, and the service does not start meanwhile',
  },
  {
    ...attacks,
    name: 'The set-up calls contracts deployed while it still refuses to start',
    file: 'bff/src/ops/setup/setup-creation.ts',
    from: "one.isDeployed && deployment?.state !== 'running'",
    to: 'one.isDeployed',
    fails: 'is not shown as done before the service can start',
  },
  {
    ...attacks,
    name: 'Two deployments of a network run at once',
    file: 'bff/src/ops/setup/setup-creation.ts',
    from: "if (setup.isStarted || deployments.get(network)?.state === 'running') throw",
    to: 'if (setup.isStarted) throw',
    fails: 'runs once at a time, and the service does not start meanwhile',
  },
  {
    name: 'A set-up that stands still loses its folder to another',
    file: 'bff/src/ops/cli/folder-lock.ts',
    from: "lock.exec('begin exclusive')",
    to: "lock.exec('begin')",
    test: 'bff/src/ops/cli/init-killed.test.ts',
    fails: 'a process that stands still for hours while it creates a service loses nothing to another one',
  },
  {
    name: 'A deployment that a killed process has sent is sent again',
    file: 'bff/src/chain/evm/deploy/deployer.ts',
    from: "while ((await countAt('pending')) > (await countAt('latest')))",
    to: 'while (false)',
    test: 'bff/src/chain/evm/deploy/deployer.test.ts',
    fails: 'a deployment that a killed process has sent is awaited, and not paid for twice',
  },
  {
    ...access,
    name: 'The set-up page is open without https at a name that begins with localhost',
    from: "rpId === 'localhost'",
    to: "rpId.startsWith('localhost')",
    fails: 'a name that only begins with localhost',
  },
  {
    ...access,
    name: 'The set-up page is open at an IPv6 address, where no passkey can be made',
    from: '/^[\\d.]+$|^\\[/',
    to: '/^[\\d.]+$/',
    fails: 'an IPv6 address, for which there are no passkeys',
  },
  {
    ...proof,
    name: 'A wallet that is a token of the second network is taken',
    from: `for (const network of networks) {
    const parsed`,
    to: `for (const network of networks.slice(0, 1)) {
    const parsed`,
    fails: 'a wallet is none of the tokens of any chosen network, wherever the network stands',
  },
  {
    ...proof,
    name: 'The end of a Solana wallet is compared without its case',
    from: "address.startsWith('0x') ? retyped",
    to: 'true ? retyped',
    fails: 'the end of a wallet is retyped as it is written',
  },
  {
    name: 'A service is created with a chain family that pays to no wallet',
    file: 'bff/src/ops/setup/create-service.ts',
    from: ' || families.some((family) => !wallets.has(family))',
    to: '',
    test: 'bff/src/ops/setup/create-service.test.ts',
    fails: 'no service is created while a chain family of its networks has no wallet',
  },
  {
    ...store,
    name: "A merchant's logo becomes that of all merchants",
    from: 'set logo_base64 = ${picture} where merchant_id = ${id}',
    to: 'set logo_base64 = ${picture}',
  },
  {
    ...store,
    name: "A merchant's pages look like those of another",
    from: 'from merchant_branding where merchant_id = ${id}',
    to: 'from merchant_branding where cast(${id} as text) is not null',
  },
  {
    ...store,
    name: "A logo's name serves another picture",
    from: 'where logo_name = ${name} and logo_base64',
    to: 'where cast(${name} as text) is not null and logo_base64',
  },
  { ...color, name: 'A colour ends in other styles', from: '[0-9a-f]{6}$/i', to: '[0-9a-f]{6}/i' },
  { ...color, name: 'A colour begins with other styles', from: '/^#[0-9a-f]', to: '/#[0-9a-f]' },
  { ...link, name: 'A link of the pages seems to be of another site', from: "url.username !== '' || ", to: '' },
  { ...link, name: 'A link of the pages has a password', from: " || url.password !== ''", to: '' },
  {
    name: 'A logo without height is taken',
    file: 'bff/src/merchant/logo-picture.ts',
    from: '|| height < 1 ',
    to: '',
    test: 'bff/src/merchant/logo-picture.test.ts',
    fails: 'is never a PNG without height',
  },
  {
    name: 'A logo goes on after the end of its picture',
    file: 'bff/src/merchant/logo-picture.ts',
    from: "at + 4, 'IEND')",
    to: "at + 4, 'IEND') && at + 12 === bytes.length",
    test: 'bff/src/merchant/logo-picture.test.ts',
    fails: 'is never a PNG with a page and an end of its own behind it',
  },
  {
    name: 'An amount with a separator at a wrong place is guessed',
    file: 'bff/dashboard/ui/parse-amount.ts',
    from: 'first.length <= size && ',
    to: '',
    test: 'bff/dashboard/ui/parse-amount.test.ts',
    fails: 'what can be read in two ways, or in none, is refused',
  },
  {
    ...owed,
    name: 'A refund beside late money that waits names all of the money',
    from: "own('customer', nextRefundOf(payment))",
    to: "own('customer', (payment.received + payment.late) as BaseUnits)",
    fails: 'of late money that the merchant can accept, a refund names only what goes back now',
  },
  {
    ...owed,
    name: 'A return that is under way is listed as one that failed',
    from: "one.refund === 'failed'",
    to: 'true',
  },
  {
    ...owed,
    name: 'Unmatched money whose address is known waits for an address',
    from: 'returnAddressOf(payment, one) === null',
    to: 'true',
  },
  {
    ...owed,
    name: 'Unmatched money that has gone is still owed',
    from: 'one.balance > 0n &&',
    to: '',
  },
  {
    ...owed,
    name: "Unmatched money is shown in the decimals of the payment's token",
    from: 'formatAmount(one.balance, one.decimals)',
    to: 'formatAmount(one.balance, payment.tokenDecimals)',
  },
  {
    ...owed,
    name: 'Unmatched money is shown on the network of the payment',
    from: 'network: one.network,',
    to: 'network,',
  },
  {
    file: 'bff/src/ops/setup/setup-answers.ts',
    name: 'The signature of one wallet proves another',
    from: 'asked?.address !== address',
    to: 'asked === null',
    test: 'bff/src/ops/setup/setup-app.test.ts',
    fails: 'is proven by its signature over this request, once, or by its end',
  },
  {
    ...deposits,
    file: 'bff/src/ops/setup/create-service.ts',
    name: 'A service is created without the account of its own addresses',
    from: "if (account === null && networksWith('xpub', draft).length > 0) throw",
    to: 'if (false) throw',
    fails: 'without a network that the service forwards on',
  },
  {
    ...deposits,
    name: 'The first address of another wallet proves an account',
    from: "throw new SetupRefusal('ACCOUNT_ADDRESS_WRONG', 'first')",
    to: 'return `${key}@${first}`',
    fails: 'as first address of an account',
  },
  {
    ...deposits,
    name: 'A token becomes the wallet of a network that the service forwards on again',
    from: 'await forgetUnfit(draft, { runtime, fetchFn: nodes.fetchAt(isLocal(page)) })',
    to: 'isLocal(page)',
    fails: 'each network has the wallet of its kind',
  },
  {
    ...deposits,
    file: 'bff/src/ops/setup/prove-wallet.ts',
    name: 'Relay stays on when the last network that it pays to is gone',
    from: 'if (!canRelay(draft)) draft',
    to: 'if (false) draft',
    fails: 'each network has the wallet of its kind',
  },
  {
    file: 'bff/src/ops/cli/doctor.command.ts',
    test: 'bff/src/ops/cli/program.test.ts',
    name: 'Before its first start, whatever runs on its port is taken for this service',
    from: 'isThere ? null : new Set<string>()',
    to: 'null',
    fails: 'before its first start a service is told from another one that runs on its port',
  },
]
