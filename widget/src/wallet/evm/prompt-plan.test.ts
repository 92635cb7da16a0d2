import { expect } from '@open-wc/testing'
import { planPrompts, type Situation } from './prompt-plan.ts'

const bare: Situation = {
  type: 'contract',
  amount: 25n,
  allowance: 0n,
  atomic: 'unsupported',
  hasAuthorization: false,
  hasPermit: false,
  isSigned: false,
  requiresReset: false,
}

suite('the plan of prompts', () => {
  const cases: [string, Partial<Situation>, string[]][] = [
    ['permits, then pays', {}, ['approve', 'pay']],
    ['takes what cannot be read for nothing', { allowance: null }, ['approve', 'pay']],
    ['pays at once with a sufficient permission', { allowance: 25n, atomic: 'supported', hasPermit: true }, ['pay']],
    ['never relies on one that falls short', { allowance: 24n }, ['approve', 'pay']],
    ['batches where it can', { atomic: 'supported', hasPermit: true }, ['batch']],
    ['signs rather than upgrading the account', { atomic: 'ready', hasPermit: true }, ['sign', 'payWithPermit']],
    ['upgrades rather than sending twice', { atomic: 'ready' }, ['batch']],
    ['brings what was signed', { hasPermit: true, isSigned: true }, ['payWithPermit']],
    ['resets only what is there', { requiresReset: true }, ['approve', 'pay']],
    ['resets what is too little', { requiresReset: true, allowance: 1n }, ['reset', 'approve', 'pay']],
    ['signs alone where that pays', { hasAuthorization: true, allowance: 25n, atomic: 'supported' }, ['authorize']],
    ['signs alone for a transfer, too', { type: 'transfer', hasAuthorization: true }, ['authorize']],
    ['sends a transfer as it is', { type: 'transfer', allowance: 99n, atomic: 'supported' }, ['transfer']],
  ]
  for (const [name, over, prompts] of cases)
    test(name, () => {
      expect(planPrompts({ ...bare, ...over })).to.deep.equal(prompts)
    })
})
