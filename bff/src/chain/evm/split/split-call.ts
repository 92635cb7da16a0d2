import { getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { type SplitDetails, type SplitTerms, splitDetails } from './split-terms.ts'

/*
 * Splitter calls, encoded by hand: creating a wallet payment needs six, and viem's encoder takes a quarter of that throughput
 * (`npm run bench -- http`). The struct contains a string, so it follows the other arguments, with its offset before them.
 */

const wordBytes = 32
const wordDigits = 64
/** `0x` and a function's four-byte selector. */
const headDigits = 10

const selectorOf = (
  name: 'splitPayment' | 'splitPaymentBefore' | 'splitPaymentWithPermit' | 'splitPaymentWithAuthorization',
) => toFunctionSelector(getAbiItem({ abi: paymentSplitter.abi, name }))

const selectors = {
  plain: selectorOf('splitPayment'),
  before: selectorOf('splitPaymentBefore'),
  permit: selectorOf('splitPaymentWithPermit'),
  authorization: selectorOf('splitPaymentWithAuthorization'),
}
/** approve(address,uint256) of ERC-20. */
const approveSelector = '0x095ea7b3'

const emptyWord = '0'.repeat(wordDigits)
/** Placeholder for v, r and s, filled in from the wallet's signature. */
const emptySignature = emptyWord.repeat(3)

const detailsWords = 9

const word = (value: bigint | number): string => value.toString(16).padStart(wordDigits, '0')
const addressWord = (address: Hex): string => address.slice(2).toLowerCase().padStart(wordDigits, '0')

/** The struct, encoded after the other arguments. */
function detailsTail(details: SplitDetails): string {
  const id = Buffer.from(details.paymentId, 'utf8')
  return [
    addressWord(details.token),
    word(details.amount),
    word(detailsWords * wordBytes),
    addressWord(details.recipient1),
    addressWord(details.recipient2),
    addressWord(details.recipient3),
    word(details.recipient1Percentage),
    word(details.recipient2Percentage),
    word(details.recipient3Percentage),
    word(id.length),
    id.toString('hex').padEnd(Math.ceil(id.length / wordBytes) * wordDigits, '0'),
  ].join('')
}

const offsetOf = (argumentsBefore: number): string => word(argumentsBefore * wordBytes)

/** `splitPayment(details)`: the call of existing clients. */
export function encodeSplit(terms: SplitTerms): Hex {
  return `${selectors.plain}${offsetOf(1)}${detailsTail(splitDetails(terms))}`
}

/** `splitPaymentBefore(details, deadline)`: cannot pay an expired payment. */
export function encodeSplitBefore(terms: SplitTerms): Hex {
  return `${selectors.before}${offsetOf(2)}${word(terms.deadlineSeconds)}${detailsTail(splitDetails(terms))}`
}

/** `splitPaymentWithPermit(details, deadline, v, r, s)`. The signature is zeros; replace it at `signatureOffset`. */
export function encodeSplitWithPermit(terms: SplitTerms): { data: Hex; signatureOffset: number } {
  const data =
    `${selectors.permit}${offsetOf(5)}${word(terms.deadlineSeconds)}${emptySignature}${detailsTail(splitDetails(terms))}` as Hex
  return { data, signatureOffset: headDigits + 2 * wordDigits }
}

/**
 * `splitPaymentWithAuthorization(details, payer, validAfter, deadline, v, r, s)`, with `validAfter` 0. Payer and signature are
 * zeros; replace them at their offsets.
 */
export function encodeSplitWithAuthorization(terms: SplitTerms): {
  data: Hex
  payerOffset: number
  signatureOffset: number
} {
  const data =
    `${selectors.authorization}${offsetOf(7)}${emptyWord}${emptyWord}${word(terms.deadlineSeconds)}${emptySignature}${detailsTail(splitDetails(terms))}` as Hex
  return { data, payerOffset: headDigits + wordDigits, signatureOffset: headDigits + 4 * wordDigits }
}

/** The token's `approve(spender, amount)`. */
export function encodeApproval(spender: Hex, amount: bigint): Hex {
  return `${approveSelector}${addressWord(spender)}${word(amount)}`
}
