import { expect, test } from 'vitest'
import { SetupGas } from './setup-gas.ts'
import { loadSetupLocale } from './setup-locale.ts'

const gas = {
  ...{ network: 'solana', name: 'Solana', coin: 'SOL', address: 'FeePayer1111', hasContracts: false },
  ...{ balance: null, needed: null, isEnough: false, isDeployed: true, deployment: null },
}

test('the account that pays fees is shown while its node does not respond', async () => {
  await loadSetupLocale()
  const step = new SetupGas() as unknown as { renderNetwork(gas: object): unknown }
  expect(JSON.stringify(step.renderNetwork(gas))).toContain('FeePayer1111')
})
