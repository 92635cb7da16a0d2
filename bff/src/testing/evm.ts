/** For the rig, benchmarks and the demo. EVM: adapter, terms, watchers, payouts, submissions. */

export { authorizationAbi } from '../chain/evm/authorization/check-authorization.ts'
export { createCallCosts, createEvmAuthorizer } from '../chain/evm/authorization/evm-authorizer.ts'
export { permit2Address, permit2Domain, permit2Types } from '../chain/evm/authorization/permit2.ts'
export { deployContracts, missingContracts } from '../chain/evm/deploy/deployer.ts'
export { minedReceipt } from '../chain/evm/deploy/mined-receipt.ts'
export {
  type DepositTerms,
  formatDepositTerms,
  parseDepositTerms,
  type StoredTerms,
} from '../chain/evm/deposit/deposit-terms.ts'
export { depositAddress, toTuple } from '../chain/evm/deposit/forwarder-address.ts'
export type { ParkedAt } from '../chain/evm/deposit/parked-call.ts'
export type { RefundLog } from '../chain/evm/deposit/refund-call.ts'
export { encodeSettleMany, type Refusal as SettleRefusal } from '../chain/evm/deposit/settle-call.ts'
export { xpubAddress } from '../chain/evm/deposit/xpub-addresses.ts'
export type { SweeperDeps } from '../chain/evm/payout/payout-context.ts'
export { createSweeper } from '../chain/evm/payout/sweeper.ts'
export { createEvmAdapter, type EvmAdapter, type RpcLog } from '../chain/evm/rpc/evm-adapter.ts'
export { createHoldingsReader } from '../chain/evm/rpc/evm-balances.ts'
export { createEvmPool, type RpcBlock } from '../chain/evm/rpc/evm-pool.ts'
export { createEvmSender, type EvmSender, type SettleReceipt } from '../chain/evm/send/evm-sender.ts'
export { parseRawTransaction } from '../chain/evm/send/evm-transaction.ts'
export { createSigner } from '../chain/evm/signer/signer.ts'
export { isSignedByWallet } from '../chain/evm/signer/wallet-signature.ts'
export { contractCall } from '../chain/evm/split/contract-call.ts'
export { readSplitLog } from '../chain/evm/split/split-log.ts'
export { parseSplitTerms, type SplitDetails, splitDetails, splitHash } from '../chain/evm/split/split-terms.ts'
export { createNonceReader, createPromptCheck } from '../chain/evm/submit/check-prompt.ts'
export { createEvmSubmissions } from '../chain/evm/submit/evm-submission.ts'
export { createRefundVerification } from '../chain/evm/submit/verify-refund.ts'
export { registerCall } from '../chain/evm/virtual/registry.ts'
export { parseVirtualAddress, virtualAddress } from '../chain/evm/virtual/virtual-address.ts'
export { createLateScanner } from '../chain/evm/watch/late-scanner.ts'
export { createUnmatchedWatcher } from '../chain/evm/watch/unmatched-watcher.ts'
export { createWatcher } from '../chain/evm/watch/watcher.ts'
