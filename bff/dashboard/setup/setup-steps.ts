import { html } from 'lit'
import { t } from '../locales/locale.ts'
import type { Created, SetupState } from './setup-api.ts'
import { type SetupKey, s } from './setup-locale.ts'
import './setup-create.ts'
import './setup-gas.ts'
import './setup-keys.ts'
import './setup-networks.ts'
import { providers } from './setup-options.ts'
import './setup-owner.ts'
import { receivingAddresses } from './setup-receiving.ts'
import './setup-shop.ts'
import './setup-start.ts'

export type StepName = 'owner' | 'shop' | 'networks' | 'wallets' | 'options' | 'create' | 'keys' | 'gas' | 'start'

/** `summary`: null while not answered. */
export type Step = { name: StepName; title: SetupKey; summary: string | null; render: () => unknown }

/**
 * What to answer before the service is created, in order.
 * @param isOptionsDone - The options have defaults: the owner has seen them.
 */
export function stepsToCreate(setup: SetupState, isOptionsDone: boolean): Step[] {
  const { owner, shop, networks, options } = setup.answers
  const nameOf = (network: string) => setup.offered.find((one) => one.network === network)?.name ?? network
  const addresses = receivingAddresses(setup)
  const isRated = options.rates !== null || shop?.currency === 'USD'
  const extras = [
    options.relay ? 'Relay' : '',
    options.stores ? t('page.stores') : '',
    options.rates ? providers[options.rates as keyof typeof providers] : '',
  ]
    .filter((text) => text !== '')
    .join(', ')
  return [
    {
      name: 'owner',
      title: 'owner.title',
      summary: owner?.name ?? null,
      render: () => html`<setup-owner .setup=${setup}></setup-owner>`,
    },
    {
      name: 'shop',
      title: 'shop.title',
      summary: shop && `${shop.name} · ${shop.currency}`,
      render: () => html`<setup-shop .setup=${setup}></setup-shop>`,
    },
    {
      name: 'networks',
      title: 'networks.title',
      summary: networks.length > 0 ? networks.map(({ network }) => nameOf(network)).join(', ') : null,
      render: () => html`<setup-networks .setup=${setup}></setup-networks>`,
    },
    {
      name: 'wallets',
      title: 'wallets.title',
      summary: addresses?.map((address) => `${address.slice(0, 6)}…${address.slice(-6)}`).join(', ') ?? null,
      render: () => html`<setup-receiving .setup=${setup}></setup-receiving>`,
    },
    {
      name: 'options',
      title: 'options.title',
      summary: isOptionsDone && isRated ? extras || s('options.none') : null,
      render: () => html`<setup-options .setup=${setup}></setup-options>`,
    },
    {
      name: 'create',
      title: 'create.title',
      summary: null,
      render: () => html`<setup-create .setup=${setup}></setup-create>`,
    },
  ]
}

/**
 * What is left to do with the created service, in order.
 * @param isStarted - The service runs, so that its gas is no longer asked for.
 */
export function stepsAfterCreation(setup: SetupState, { operator, feePayer }: Created, isStarted: boolean): Step[] {
  const needsGas = operator !== null || feePayer !== null
  const keys: Step = {
    name: 'keys',
    title: 'keys.title',
    summary: null,
    render: () => html`<setup-keys .setup=${setup}></setup-keys>`,
  }
  const gas: Step = {
    name: 'gas',
    title: 'gas.title',
    summary: null,
    render: () => html`<setup-gas .setup=${setup}></setup-gas>`,
  }
  const start: Step = {
    name: 'start',
    title: 'start.title',
    summary: null,
    render: () => html`<setup-start .setup=${setup}></setup-start>`,
  }
  return needsGas && !isStarted ? [keys, gas, start] : [keys, start]
}
