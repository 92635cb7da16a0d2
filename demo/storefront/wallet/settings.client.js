// The user's settings for the test wallet, kept for the life of the tab.

const storageName = 'corner-coffee:test-wallet'
const selects = [...document.querySelectorAll('[data-wallet]')]

const saved = load()
for (const select of selects) {
  const value = saved[select.dataset.wallet]
  if ([...select.options].some((option) => option.value === value)) select.value = value
}

/** A setting of the panel: `account`, `chainId` or `behaviour`. */
export const chosen = (name) => selects.find((select) => select.dataset.wallet === name).value

/** Sets it for the customer, as when the page requested another network. */
export function choose(name, value) {
  selects.find((select) => select.dataset.wallet === name).value = value
  save({ [name]: value })
}

/** Chain ids of the wallet's networks. */
export const knownChainIds = () =>
  [...selects.find(({ dataset }) => dataset.wallet === 'chainId').options].map(({ value }) => Number(value))

/** Whether the page is connected; a reload does not ask again. */
export const isConnected = () => load().isConnected === true
export const connect = () => save({ isConnected: true })

/** Networks that a page had to add first. */
export const isAdded = (chainId) => (load().added ?? []).includes(chainId)
export const add = (chainId) => save({ added: [...(load().added ?? []), chainId] })

/** Calls `listener` with the name of a setting changed by the user. */
export function onChoice(listener) {
  for (const select of selects) {
    select.addEventListener('change', () => {
      save({ [select.dataset.wallet]: select.value })
      listener(select.dataset.wallet)
    })
  }
}

function load() {
  try {
    return JSON.parse(sessionStorage.getItem(storageName)) ?? {}
  } catch {
    return {}
  }
}

function save(change) {
  sessionStorage.setItem(storageName, JSON.stringify({ ...load(), ...change }))
}
