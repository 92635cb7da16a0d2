import { agents } from './agents.mjs'
import { askedAgain } from './asked-again.mjs'
import { attempts } from './attempts.mjs'
import { authorizations } from './authorizations.mjs'
import { authorizers } from './authorizers.mjs'
import { bridges } from './bridges.mjs'
import { brokenRows } from './broken-rows.mjs'
import { callers } from './callers.mjs'
import { choices } from './choices.mjs'
import { comparedBooks } from './compared-books.mjs'
import { comparedRows } from './compared-rows.mjs'
import { comparisons } from './comparisons.mjs'
import { configured } from './configured.mjs'
import { countedAddresses } from './counted-addresses.mjs'
import { countedMoney } from './counted-money.mjs'
import { counters } from './counters.mjs'
import { deaths } from './deaths.mjs'
import { deployments } from './deployments.mjs'
import { direct } from './direct.mjs'
import { doors } from './doors.mjs'
import { edges } from './edges.mjs'
import { examined } from './examined.mjs'
import { floods } from './floods.mjs'
import { frontRows } from './front-rows.mjs'
import { groups } from './groups.mjs'
import { held } from './held.mjs'
import { invoices } from './invoices.mjs'
import { keptOut } from './kept-out.mjs'
import { keys } from './keys.mjs'
import { knownPasskeys } from './known-passkeys.mjs'
import { lateSearches } from './late-searches.mjs'
import { leases } from './leases.mjs'
import { ledgers } from './ledgers.mjs'
import { linkRules } from './link-rules.mjs'
import { merchantRefunds } from './merchant-refunds.mjs'
import { merchantRows } from './merchant-rows.mjs'
import { merchants } from './merchants.mjs'
import { modeRows } from './mode-rows.mjs'
import { moneyRows } from './money-rows.mjs'
import { moves } from './moves.mjs'
import { nextNonces } from './next-nonces.mjs'
import { nodePools } from './node-pools.mjs'
import { notices } from './notices.mjs'
import { outgoing } from './outgoing.mjs'
import { paymentViews } from './payment-views.mjs'
import { payoutRows } from './payout-rows.mjs'
import { payouts } from './payouts.mjs'
import { quotas } from './quotas.mjs'
import { readRanges } from './ranges.mjs'
import { rates } from './rates.mjs'
import { readAccounts } from './read-accounts.mjs'
import { readMovements } from './read-movements.mjs'
import { refundPrompts } from './refund-prompts.mjs'
import { refundRows } from './refund-rows.mjs'
import { requestedRefunds } from './requested-refunds.mjs'
import { rights } from './rights.mjs'
import { rowsInFront } from './rows-in-front.mjs'
import { secondReads } from './second-reads.mjs'
import { sentAuthorizations } from './sent-authorizations.mjs'
import { served } from './served.mjs'
import { settledProofs } from './settled-proofs.mjs'
import { settlements } from './settlements.mjs'
import { setups } from './setups.mjs'
import { shopNotices } from './shop-notices.mjs'
import { shopRules } from './shop-rules.mjs'
import { shownRefunds } from './shown-refunds.mjs'
import { signatures } from './signatures.mjs'
import { signedCallbacks } from './signed-callbacks.mjs'
import { signedTexts } from './signed-texts.mjs'
import { singlePayouts } from './single-payouts.mjs'
import { slowBridges } from './slow-bridges.mjs'
import { solanaPayouts } from './solana-payouts.mjs'
import { solanaReads } from './solana-reads.mjs'
import { splitAccounts } from './split-accounts.mjs'
import { sponsored } from './sponsored.mjs'
import { states } from './states.mjs'
import { stores } from './stores.mjs'
import { strangers } from './strangers.mjs'
import { sums } from './sums.mjs'
import { tables } from './tables.mjs'
import { tills } from './tills.mjs'
import { twoNodes } from './two-nodes.mjs'
import { unmatchedSearches } from './unmatched-searches.mjs'
import { walletCalls } from './wallet-calls.mjs'
import { watchedRows } from './watched-rows.mjs'
import { watchers } from './watchers.mjs'
import { widgetMoney } from './widget-money.mjs'
import { widgetOrders } from './widget-orders.mjs'
import { windows } from './windows.mjs'
import { witnesses } from './witnesses.mjs'

/**
 * One mistake that could be made where money, rights, leases, budgets, sums or order are decided.
 * @typedef {object} Fault
 * @property {string} name What goes wrong by it.
 * @property {string} file
 * @property {string} from Text that `file` has exactly once.
 * @property {string} to What stands there instead.
 * @property {string} test The file of the test that must fail.
 * @property {string} fails The test's name, with those of its groups, or a part of it that only tests of this behaviour have.
 */

/** @type {Fault[]} */
export const faults = [
  ...sums,
  ...countedMoney,
  ...comparedBooks,
  ...walletCalls,
  ...signedTexts,
  ...readAccounts,
  ...comparedRows,
  ...requestedRefunds,
  ...shownRefunds,
  ...signedCallbacks,
  ...singlePayouts,
  ...slowBridges,
  ...shopNotices,
  ...shopRules,
  ...witnesses,
  ...counters,
  ...callers,
  ...frontRows,
  ...linkRules,
  ...keptOut,
  ...tills,
  ...askedAgain,
  ...widgetMoney,
  ...widgetOrders,
  ...windows,
  ...watchers,
  ...readRanges,
  ...states,
  ...held,
  ...twoNodes,
  ...nodePools,
  ...ledgers,
  ...doors,
  ...stores,
  ...invoices,
  ...strangers,
  ...signatures,
  ...agents,
  ...rights,
  ...merchants,
  ...deaths,
  ...direct,
  ...merchantRefunds,
  ...refundPrompts,
  ...merchantRows,
  ...modeRows,
  ...tables,
  ...keys,
  ...leases,
  ...payouts,
  ...quotas,
  ...brokenRows,
  ...rowsInFront,
  ...settlements,
  ...comparisons,
  ...attempts,
  ...authorizations,
  ...setups,
  ...configured,
  ...choices,
  ...notices,
  ...moves,
  ...rates,
  ...bridges,
  ...sentAuthorizations,
  ...outgoing,
  ...payoutRows,
  ...watchedRows,
  ...refundRows,
  ...moneyRows,
  ...lateSearches,
  ...solanaPayouts,
  ...authorizers,
  ...paymentViews,
  ...unmatchedSearches,
  ...readMovements,
  ...floods,
  ...groups,
  ...edges,
  ...examined,
  ...deployments,
  ...served,
  ...splitAccounts,
  ...knownPasskeys,
  ...countedAddresses,
  ...settledProofs,
  ...secondReads,
  ...solanaReads,
  ...sponsored,
  ...nextNonces,
]
