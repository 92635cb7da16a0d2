import { hydrateRoot } from 'react-dom/client'
import { Checkout } from './checkout.tsx'

const root = document.querySelector<HTMLElement>('#app')
const { publicKey = '', amount = '', orderId = '' } = root?.dataset ?? {}
if (root) hydrateRoot(root, <Checkout publicKey={publicKey} amount={amount} orderId={orderId} />)
