/**
 * Why a request of the set-up page is refused. The page has a sentence for each code in the reader's language; `says` is in English, for
 * callers without the page.
 */
export const setupRefusals = {
  LINK_REFUSED: { status: 401, says: 'This is not the link that the service printed. Copy the whole link.' },
  LINK_USED: { status: 401, says: 'The link was used in another browser. Restart the service for a new one.' },
  LINK_ENDED: { status: 401, says: 'The link expired after an hour. Restart the service for a new one.' },
  NO_SESSION: { status: 401, says: 'Open the link that the service printed.' },
  ADDRESS: { status: 400, says: 'Open this page at an https address with a name, or at http://localhost.' },
  INVALID: { status: 400, says: 'The value of this field is not valid.' },
  PASSKEY_REFUSED: { status: 400, says: 'The passkey was not accepted. Create it again.' },
  COLOR_BAD: { status: 400, says: 'A colour is # and six hex digits, such as #2b50c8.' },
  LOGO_BAD: {
    status: 400,
    says: 'The logo must be one PNG, JPEG or WebP picture of at most 512 × 512 pixels and 44 kB.',
  },
  CURRENCY_UNKNOWN: { status: 400, says: 'This is not a currency code such as USD or EUR.' },
  NETWORK_UNKNOWN: { status: 400, says: 'This network is not known.' },
  NETWORKS_MISSING: { status: 400, says: 'Choose at least one network.' },
  NETWORKS_MIXED: { status: 400, says: 'Test networks and networks with real money cannot be mixed.' },
  NODE_MISSING: { status: 400, says: 'Name at least one node of this network.' },
  NODE_URL: { status: 400, says: 'This is not the https address of a node.' },
  NODE_PRIVATE: { status: 400, says: 'Private addresses are asked only when this page is open at http://localhost.' },
  NODE_TWICE: { status: 400, says: 'This node is named twice.' },
  NODE_BAD: { status: 400, says: 'This node cannot be used: its check failed.' },
  WALLET_FORMAT: { status: 400, says: 'This is not an address of this network.' },
  WALLET_CHECKSUM: { status: 400, says: 'The checksum of the address is wrong. Copy it again.' },
  WALLET_ZERO: { status: 400, says: 'The zero address is not a wallet.' },
  WALLET_TOKEN: { status: 400, says: 'This is the address of a token, not of a wallet.' },
  WALLET_CONTRACT: { status: 400, says: 'This is a contract of this service, not a wallet.' },
  WALLET_NOT_EVERYWHERE: {
    status: 400,
    says: 'This is a smart wallet that exists on {0} and not on {1}. Money paid to it there would be lost.',
  },
  WALLET_NOT_READ: { status: 409, says: 'The node of {0} did not say whether the wallet is a contract. Try again.' },
  WALLET_NOT_SIGNED: { status: 400, says: 'The signature is not of this wallet, or was made for another request.' },
  WALLET_NOT_RETYPED: { status: 400, says: 'These are not the last six characters of the address.' },
  DEPOSITS_UNAVAILABLE: { status: 400, says: 'This network does not offer these deposit addresses.' },
  ACCOUNT_KEY_WRONG: {
    status: 400,
    says: 'This is not the extended public key of an account. It begins with xpub: copy it again.',
  },
  ACCOUNT_KEY_PRIVATE: {
    status: 400,
    says: 'This is a private key. Never give it to anybody. The public one begins with xpub.',
  },
  ACCOUNT_ADDRESS_WRONG: {
    status: 400,
    says: 'This is not the first address of this key: the wallet would not find its payments.',
  },
  RELAY_UNAVAILABLE: { status: 400, says: 'Relay needs an EVM network with addresses of the service to pay to.' },
  RATES_NEEDED: { status: 400, says: 'Prices in this currency need a source of exchange rates.' },
  RATES_LACKING: { status: 400, says: 'This source has no rate of {0}. Choose another.' },
  ANSWERS_MISSING: { status: 409, says: 'Some steps are not complete yet.' },
  FOLDER_BUSY: { status: 409, says: 'Another process is creating a service in this folder.' },
  FILES_EXIST: { status: 409, says: 'The folder already holds a service. Nothing was changed.' },
  NOT_CREATED: { status: 409, says: 'Create the service first.' },
  ALREADY_CREATED: { status: 409, says: 'The service already exists. Change its configuration file and restart it.' },
  BUSY: { status: 409, says: 'The same request is still running.' },
  GAS_MISSING: { status: 409, says: 'The operator does not hold enough of the coin yet.' },
  DEPLOY_FAILED: { status: 409, says: 'The contracts were not deployed. Nothing is lost: try again.' },
  TOO_MANY_CHECKS: { status: 429, says: 'Too many nodes were checked. Wait a minute.' },
} as const

export type SetupCode = keyof typeof setupRefusals

/**
 * @param field - The wrong field of the request; null: no single field.
 * @param values - Replace `{0}`, `{1}`… in the sentence.
 */
export class SetupRefusal extends Error {
  readonly code: SetupCode
  readonly field: string | null
  readonly values: readonly string[]

  constructor(code: SetupCode, field: string | null = null, values: readonly string[] = []) {
    super(setupRefusals[code].says.replace(/\{(\d)\}/g, (_, place) => values[Number(place)] ?? ''))
    this.code = code
    this.field = field
    this.values = values
  }
}
