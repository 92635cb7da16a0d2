// The rules that a merchant reads when the tag is wrong. What a customer reads is in `words/`.

export const ruleUrl = 'an address beginning with https:// or http://'
export const ruleKey = 'a public key, beginning with pk_'
export const ruleSecret = 'this is a secret key: replace it at once, and use the one beginning with pk_'
export const ruleAmount = 'a decimal number above 0, like 25.00'
export const ruleCurrency = 'the symbol of a token, like USDC, or none: the customer then chooses'
export const ruleNetwork = 'the short name of a network, like base, or none'
export const ruleMetadata = 'a JSON object'
export const ruleId = 'the id of a payment (a UUID)'
