import { getAbiItem, toFunctionSelector } from 'viem'
import { paymentSplitter } from '../deploy/contracts.generated.ts'
import { addressWord, recipientWords, type SplitDetails, type SplitTerms, splitDetails, word } from './split-terms.ts'

type Hex = `0x${string}`

/*
 * Calls of the splitter, encoded by hand: every create needs five of them, and viem's encoder takes as long as the rest
 * of a create. A struct with a text in it stands behind the other arguments, which begin with its offset.
 */

const wordBytes = 32
const wordDigits = 64
/** `0x` and the four bytes that name a function. */
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
/** v, r and s, which the wallet's signature fills in. */
const emptySignature = emptyWord.repeat(3)

const detailsWords = 9

function detailsTail(details: SplitDetails): string {
  const id = Buffer.from(details.paymentId, 'utf8')
  const idWords = id.toString('hex').padEnd(Math.ceil(id.length / wordBytes) * wordDigits, '0')
  return `${addressWord(details.token)}${word(details.amount)}${word(detailsWords * wordBytes)}${recipientWords(details)}${word(id.length)}${idWords}`
}

const offsetOf = (argumentsBefore: number): string => word(argumentsBefore * wordBytes)

/** `splitPayment(details)`: what existing clients call. */
export function encodeSplit(terms: SplitTerms): Hex {
  return `${selectors.plain}${offsetOf(1)}${detailsTail(splitDetails(terms))}`
}

/** `splitPaymentBefore(details, deadline)`: nobody pays an expired payment by it. */
export function encodeSplitBefore(terms: SplitTerms): Hex {
  return `${selectors.before}${offsetOf(2)}${word(terms.deadlineSeconds)}${detailsTail(splitDetails(terms))}`
}

/** `splitPaymentWithPermit(details, deadline, v, r, s)`. The signature is zeros, to be replaced at `signatureOffset`. */
export function encodeSplitWithPermit(terms: SplitTerms): { data: Hex; signatureOffset: number } {
  const data =
    `${selectors.permit}${offsetOf(5)}${word(terms.deadlineSeconds)}${emptySignature}${detailsTail(splitDetails(terms))}` as Hex
  return { data, signatureOffset: headDigits + 2 * wordDigits }
}

/** `splitPaymentWithAuthorization(details, payer, validAfter, deadline, v, r, s)`, valid since ever. Payer and signature are zeros. */
export function encodeSplitWithAuthorization(terms: SplitTerms): {
  data: Hex
  payerOffset: number
  signatureOffset: number
} {
  const data =
    `${selectors.authorization}${offsetOf(7)}${emptyWord}${emptyWord}${word(terms.deadlineSeconds)}${emptySignature}${detailsTail(splitDetails(terms))}` as Hex
  return { data, payerOffset: headDigits + wordDigits, signatureOffset: headDigits + 4 * wordDigits }
}

/** `approve(spender, amount)` of the token. */
export function encodeApproval(spender: Hex, amount: bigint): Hex {
  return `${approveSelector}${addressWord(spender)}${word(amount)}`
}
