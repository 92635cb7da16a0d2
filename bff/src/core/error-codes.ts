type Entry = {
  /** HTTP status. The few calls whose contract has another status pass it when they refuse. */
  status: 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503
  /** The short reason, `error` in the body; null: the sentence itself. */
  error: string | null
  /** What the caller can do. */
  advice: string
}

const notSigned = 'Payment by signature refused'
const bySignature = {
  SIGNATURE_NOT_OFFERED: { status: 400, error: notSigned, advice: 'Pay by a transaction or to the address.' },
  PAYMENT_NOT_OPEN: { status: 400, error: notSigned, advice: 'Read the payment; nothing more can be paid to it.' },
  WRONG_RECIPIENT: { status: 400, error: notSigned, advice: 'Sign exactly what the payment offers.' },
  WRONG_VALUE: { status: 400, error: notSigned, advice: 'Read the payment again and sign its open amount.' },
  WRONG_NONCE: { status: 400, error: notSigned, advice: 'Sign exactly what the payment offers.' },
  NOT_YET_VALID: { status: 400, error: notSigned, advice: 'Sign with a `validAfter` in the past, or 0.' },
  EXPIRES_TOO_SOON: { status: 400, error: notSigned, advice: 'Sign again with a later `validBefore`.' },
  INVALID_SIGNATURE: { status: 400, error: notSigned, advice: 'Sign again with the account that pays.' },
  AUTHORIZATION_USED: { status: 400, error: notSigned, advice: 'Sign again with a new nonce.' },
  AUTHORIZATION_UNDER_WAY: { status: 409, error: notSigned, advice: 'Wait for the transaction that was sent.' },
  INSUFFICIENT_FUNDS: { status: 400, error: notSigned, advice: 'Pay from an account that holds the amount.' },
  PERMIT2_NOT_APPROVED: { status: 400, error: notSigned, advice: 'Approve Permit2 for the token, then sign again.' },
  TRANSFER_REFUSED: { status: 400, error: notSigned, advice: 'Pay from another account, or to the address.' },
  GAS_TOO_EXPENSIVE: { status: 400, error: notSigned, advice: 'Pay by a transaction, or later.' },
  PAYER_LIMIT: { status: 429, error: notSigned, advice: 'Pay by a transaction, or tomorrow.' },
  CLIENT_LIMIT: { status: 429, error: notSigned, advice: 'Pay by a transaction, or tomorrow.' },
  DAILY_LIMIT: { status: 429, error: notSigned, advice: 'Pay by a transaction, or tomorrow.' },
  RELAY_UNAVAILABLE: { status: 503, error: notSigned, advice: 'Try again, or pay by a transaction.' },
} as const satisfies Record<string, Entry>

const notPaid = 'Payment verification failed'
const notYetPaid = 'Payment not confirmed'
const ofTransactions = {
  WRONG_NETWORK: { status: 400, error: notPaid, advice: "Submit a transaction on the payment's network." },
  TRANSACTION_NOT_FOUND: { status: 400, error: notYetPaid, advice: 'Try again; nodes may not have it yet.' },
  TRANSACTION_REVERTED: { status: 400, error: notPaid, advice: 'Pay again: the transaction moved nothing.' },
  OTHER_CONTRACT: { status: 400, error: notPaid, advice: 'Call the contract that the payment names.' },
  ALREADY_USED: { status: 400, error: notPaid, advice: 'Submit the transaction that pays this payment.' },
  OTHER_TOKEN: { status: 400, error: notPaid, advice: 'Pay in the token of the payment.' },
  OTHER_TERMS: { status: 400, error: notPaid, advice: "Send the payment's `contractCall` unchanged." },
  OTHER_SENDER: { status: 400, error: notPaid, advice: 'Pay from the `senderAddress` of the create.' },
  NOT_CANONICAL: { status: 400, error: notYetPaid, advice: 'Try again; the chain replaced a block.' },
  OLDER_THAN_PAYMENT: { status: 400, error: notPaid, advice: 'Submit the transaction that pays this payment.' },
  NOT_CONFIRMED: { status: 400, error: notYetPaid, advice: 'Try again after more blocks.' },
  UNDERPAID: { status: 400, error: notPaid, advice: 'Pay what is missing.' },
  PAID_LATE: { status: 400, error: notPaid, advice: 'Ask the merchant to accept or return the money.' },
} as const satisfies Record<string, Entry>

/** Refusals of cross-chain payments that the contract names, because clients read the codes. */
const crossChain = {
  ORIGIN_NOT_SUPPORTED: { status: 400, error: null, advice: 'Choose a chain of `GET /payments/cross-chain/sources`.' },
  ORIGIN_REFUND_NOT_SUPPORTED: { status: 400, error: null, advice: 'Choose another origin chain.' },
  NO_DESTINATION: { status: 400, error: null, advice: 'Ask the merchant to set a settlement wallet.' },
  NO_ROUTE: { status: 400, error: null, advice: 'Choose another amount, chain or token, or pay directly.' },
} as const satisfies Record<string, Entry>

/**
 * Every code of an error response. New codes may be added; a code keeps its meaning. The OpenAPI document, `docs/errors.md` and the typed
 * client's codes are generated from this list.
 */
export const errorCodes = {
  BAD_REQUEST: { status: 400, error: 'Validation failed', advice: 'Send valid JSON.' },
  VALIDATION_FAILED: { status: 400, error: 'Validation failed', advice: 'Correct the field that `message` names.' },
  NETWORK_NOT_SUPPORTED: { status: 400, error: 'Validation failed', advice: 'Choose one of `GET /networks/payable`.' },
  CURRENCY_NOT_SUPPORTED: { status: 400, error: 'Validation failed', advice: 'Choose a token of the network.' },
  WALLET_MISSING: { status: 400, error: 'Validation failed', advice: 'Ask the merchant to set a settlement wallet.' },
  ACCOUNT_KEY_WRONG: { status: 400, error: 'Validation failed', advice: 'Copy the extended public key (xpub…) again.' },
  ACCOUNT_KEY_PRIVATE: {
    status: 400,
    error: 'Validation failed',
    advice: 'Send the public key (xpub…), never a private one.',
  },
  ACCOUNT_ADDRESS_WRONG: {
    status: 400,
    error: 'Validation failed',
    advice: 'Send the key and the first address of the same account.',
  },
  INVALID_PAYMENT_SIGNATURE: { status: 400, error: 'Validation failed', advice: 'Create the x402 header again.' },
  UNAUTHORIZED: { status: 401, error: null, advice: 'Send `x-public-key`, or `x-api-key` with `x-api-secret`.' },
  SESSION_ENDED: { status: 401, error: null, advice: 'Sign in to the dashboard again.' },
  TILL_ENDED: { status: 401, error: null, advice: 'Ask an owner to pair the device in the dashboard.' },
  TILL_LOCKED: { status: 403, error: 'The till is locked', advice: 'Enter the PIN of the till.' },
  TILL_BLOCKED: {
    status: 403,
    error: 'The till is blocked',
    advice: 'Ask an owner to unblock the till in the dashboard.',
  },
  PIN_WRONG: { status: 403, error: 'Wrong PIN', advice: 'Enter the PIN that the owner has set.' },
  PAIRING_ENDED: { status: 403, error: 'Link of a till not valid', advice: 'Ask an owner for a new link.' },
  API_SECRET_REQUIRED: {
    status: 403,
    error: 'API key and secret are required',
    advice: 'Call from a server, with `x-api-key` and `x-api-secret`.',
  },
  SESSION_REQUIRED: { status: 403, error: 'A session is required', advice: 'Use the dashboard.' },
  ROLE_NOT_ALLOWED: { status: 403, error: 'Not allowed', advice: 'Ask an owner, or use an API key.' },
  CONFIRMATION_REQUIRED: { status: 403, error: 'Passkey required', advice: 'Sign the request with the passkey.' },
  CLIENT_SECRET_REQUIRED: { status: 403, error: 'Client secret required', advice: 'Send the `clientSecret`.' },
  KEY_SCOPE: { status: 403, error: 'Not in the scope of the key', advice: 'Use an API key of the merchant.' },
  ORIGIN_NOT_ALLOWED: { status: 403, error: 'Origin not allowed', advice: 'Ask the merchant to list the origin.' },
  CROSS_ORIGIN: { status: 403, error: 'Request from another page', advice: "Call from the service's own pages." },
  DASHBOARD_ADDRESS: { status: 403, error: 'Not at this address', advice: 'Open the address that `message` names.' },
  PASSKEY_REFUSED: { status: 403, error: 'Not signed in', advice: 'Try again, or ask an owner for an invitation.' },
  NO_PASSKEY: { status: 403, error: 'No passkey', advice: 'Add a passkey in the dashboard.' },
  TOO_MANY_PASSKEYS: { status: 409, error: null, advice: 'Remove a passkey first.' },
  TOO_MANY_CHANNELS: { status: 409, error: 'Too many channels', advice: 'Remove a channel first.' },
  LAST_PASSKEY: { status: 409, error: 'A passkey is needed', advice: 'Add another passkey first.' },
  INVITATION_ENDED: { status: 403, error: 'The link is not valid', advice: 'Ask for a new link.' },
  WALLET_NOT_REGISTERED: {
    status: 409,
    error: 'The wallet is not registered',
    advice: 'Register the wallet on its network first.',
  },
  WALLET_NOT_PROVEN: { status: 403, error: 'The wallet did not sign', advice: 'Sign a new text with the wallet.' },
  LAST_OWNER: { status: 409, error: 'An owner is needed', advice: 'Make another person an owner first.' },
  SEVERAL_MERCHANTS: {
    status: 403,
    error: 'Only for the operator of the service',
    advice: 'Ask the operator to run the command `doctor`.',
  },
  NOT_FOUND: { status: 404, error: 'Not found', advice: 'Check the path and the id.' },
  DASHBOARD_NOT_BUILT: { status: 404, error: 'Not found', advice: 'Build the dashboard.' },
  ELEMENT_NOT_BUILT: { status: 404, error: 'Not found', advice: 'Build the element, or set `widgetFolder`.' },
  PAYMENT_NOT_FOUND: { status: 404, error: 'Payment not found', advice: 'Check the id and whose key is sent.' },
  LINK_NOT_FOUND: { status: 404, error: 'Payment link not found', advice: 'Check the id and whose key is sent.' },
  NETWORK_NOT_FOUND: { status: 404, error: 'Network not found', advice: 'Choose one of `GET /networks/payable`.' },
  ENDPOINT_NOT_FOUND: { status: 404, error: 'Endpoint not found', advice: 'List the webhook endpoints.' },
  DELIVERY_NOT_FOUND: { status: 404, error: 'Delivery not found', advice: 'List the deliveries.' },
  AGENT_POLICY_NOT_FOUND: { status: 404, error: 'Agent policy not found', advice: 'List the policies.' },
  ENDPOINT_DISABLED: { status: 409, error: 'Endpoint disabled', advice: 'Enable the webhook endpoint first.' },
  TOO_MANY_ENDPOINTS: { status: 409, error: 'Too many endpoints', advice: 'Remove a webhook endpoint first.' },
  BODY_TOO_LARGE: { status: 413, error: null, advice: 'Send a smaller body.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, error: 'Unsupported media type', advice: 'Send JSON.' },
  IDEMPOTENCY_MISMATCH: { status: 400, error: 'Idempotency mismatch', advice: 'Use a new key or order id.' },
  RATE_LIMITED: { status: 429, error: 'Too many requests', advice: 'Retry after `Retry-After` seconds.' },
  TOO_MANY_OPEN_PAYMENTS: {
    status: 429,
    error: 'Too many open payments',
    advice: 'Retry after `Retry-After` seconds, or create with API key and secret.',
  },
  TOO_MANY_STREAMS: { status: 503, error: 'Too many streams', advice: 'Retry after `Retry-After` seconds.' },
  TOO_MANY_WAITS: { status: 503, error: 'Too many waits', advice: 'Read the payment without waiting.' },
  AGENT_CONSTRAINT_VIOLATED: {
    status: 403,
    error: 'Agent policy does not permit the payment',
    advice: 'Change the policy, or ask a person; `rule` names the limit.',
  },
  NO_RATE: { status: 400, error: 'No exchange rate', advice: 'Send an amount in tokens, or another currency.' },
  RATES_UNAVAILABLE: { status: 503, error: 'Rates unavailable', advice: 'Retry after `Retry-After` seconds.' },
  LINK_CLOSED: { status: 409, error: 'Payment link closed', advice: 'Ask the shop for a new link.' },
  NOT_PAID: { status: 409, error: 'Not paid', advice: 'Retry when the payment is paid.' },
  RECEIPT_SENT: { status: 409, error: 'Receipt sent before', advice: 'Open the receipt page of the payment.' },
  NOTICE_LIMIT: { status: 429, error: 'Too many channels', advice: 'Add the channel tomorrow.' },
  MAIL_LIMIT: { status: 429, error: 'Too many mails', advice: 'Try again tomorrow, or open the receipt page.' },
  NOTHING_OWED: { status: 400, error: 'Nothing owed', advice: 'Nothing: no refund is due.' },
  REFUND_BY_MERCHANT: { status: 400, error: 'Refunds not supported', advice: 'Ask the merchant for the refund.' },
  REFUND_ALREADY_REQUESTED: { status: 403, error: 'Refund already requested', advice: 'Ask the merchant.' },
  REFUND_NOT_FOUND: { status: 404, error: 'Refund not found', advice: 'Check the id and whose key is sent.' },
  NOTHING_TO_REFUND: { status: 409, error: 'Refund not possible', advice: 'Read the payment and its `refunds`.' },
  REFUND_TOO_LARGE: { status: 409, error: 'Refund too large', advice: 'Ask for at most the sum that `message` names.' },
  TOO_MANY_REFUNDS: { status: 409, error: 'Too many refunds', advice: 'Pay or cancel the refunds of the payment.' },
  REFUND_HAS_ADDRESS: { status: 409, error: 'Address already set', advice: 'Cancel the refund and make another.' },
  REFUND_NEEDS_ADDRESS: { status: 409, error: 'Address missing', advice: "Name the customer's address first." },
  REFUND_ENDED: { status: 409, error: 'Refund ended', advice: 'Make another refund.' },
  REFUND_PROMPTED: {
    status: 409,
    error: 'A wallet was asked to pay',
    advice: 'Wait for the chain, or end the prompt once you know that nothing was sent.',
  },
  REFUND_NOT_PAYABLE: { status: 409, error: 'Refund not payable now', advice: 'Read the refund and its `status`.' },
  PROMPT_NOT_FOUND: { status: 404, error: 'Prompt not found', advice: 'Read the refund and its `prompt`.' },
  REFUND_STARTED: { status: 409, error: 'Refund not cancelled', advice: 'Nothing: the refund is being paid.' },
  PAYMENT_NOT_PAID: { status: 409, error: 'Payment not paid', advice: 'Retry when the payment is paid.' },
  CANCEL_REFUSED: {
    status: 409,
    error: 'Payment not cancelled',
    advice: 'Nothing: money has arrived, or another key created it.',
  },
  ALREADY_PAID: { status: 409, error: 'Late payment not accepted', advice: 'Nothing: the payment is paid.' },
  PAYMENT_OPEN: { status: 409, error: 'Late payment not accepted', advice: 'Wait for the end of its window.' },
  REFUND_UNDER_WAY: { status: 409, error: 'Late payment not accepted', advice: 'Retry when the refund is final.' },
  LATE_AMOUNT_SHORT: { status: 409, error: 'Late payment not accepted', advice: 'Retry when the amount arrived.' },
  SIMULATION_NOT_POSSIBLE: { status: 409, error: 'Simulation not possible', advice: 'Simulate another event.' },
  NOT_A_SANDBOX_PAYMENT: { status: 400, error: 'Not a sandbox payment', advice: 'Use a sandbox payment.' },
  NOT_A_CONTRACT_PAYMENT: { status: 400, error: null, advice: 'Send the amount to the deposit address.' },
  CONTRACT_PAYMENTS_UNAVAILABLE: {
    status: 400,
    error: 'Contract payments unavailable',
    advice: 'Create a deposit instead.',
  },
  NETWORK_UNAVAILABLE: { status: 400, error: 'Network unavailable', advice: 'Try later, or choose another network.' },
  TEST_PAYMENT: { status: 400, error: 'No transaction', advice: 'Simulate its events.' },
  PAYMENT_ENDED: { status: 400, error: 'No transaction', advice: 'Create a new payment.' },
  NOT_A_SOLANA_PAYMENT: { status: 400, error: 'No transaction', advice: 'Pay as the payment describes.' },
  NO_TOKEN_ACCOUNT: {
    status: 400,
    error: 'No transaction',
    advice: 'Ask for the transaction with `feePayer: customer`.',
  },
  GAS_MISSING: { status: 409, error: 'Not enough gas', advice: 'Send coins to the address of the service.' },
  DEPLOY_NOT_POSSIBLE: { status: 409, error: 'Not deployed', advice: 'Nothing: this network needs no contracts.' },
  DEPLOY_FAILED: { status: 503, error: 'Not deployed', advice: 'Try again, or run the command `deploy`.' },
  NOTHING_WAITING: { status: 409, error: 'Nothing waits', advice: 'Nothing: everything was sent.' },
  NOT_READY: { status: 503, error: 'Not ready', advice: 'Try again in a few seconds.' },
  PAYMENT_REQUIRED: { status: 402, error: null, advice: 'Pay as `PAYMENT-REQUIRED` says, and send the proof.' },
  X402_NOT_OFFERED: { status: 409, error: 'Not offered', advice: 'Pay in another way.' },
  REQUIREMENTS_MISMATCH: { status: 400, error: 'Requirements mismatch', advice: 'Accept the newest requirements.' },
  DUPLICATE_SETTLEMENT: { status: 409, error: 'Duplicate settlement', advice: 'Create and pay a new payment.' },
  BRIDGE_REFUSED: { status: 400, error: 'Refused by the bridge', advice: 'Change the request, or pay directly.' },
  BRIDGE_UNAVAILABLE: { status: 503, error: 'Bridge unavailable', advice: 'Try again, or pay directly.' },
  DOCTOR_FAILED: { status: 503, error: 'The checks failed', advice: 'Try again, or run the command `doctor`.' },
  DATABASE_UNAVAILABLE: { status: 503, error: 'Database unavailable', advice: 'Retry; nothing was stored.' },
  COMMIT_UNKNOWN: { status: 503, error: 'Database unavailable', advice: 'Retry with the same `Idempotency-Key`.' },
  INTERNAL_ERROR: { status: 500, error: 'Internal server error', advice: "Report the response's `X-Request-Id`." },
  ...bySignature,
  ...ofTransactions,
  ...crossChain,
} as const satisfies Record<string, Entry>

export type ErrorCode = keyof typeof errorCodes
export type AuthorizationCode = keyof typeof bySignature
export type TransactionCode = keyof typeof ofTransactions
export type ErrorStatus = (typeof errorCodes)[ErrorCode]['status']
