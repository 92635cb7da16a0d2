/** @jsxImportSource vue */
import { createSSRApp } from 'vue'
import { Checkout } from './checkout.tsx'

const root = document.querySelector<HTMLElement>('#app')
const { publicKey = '', amount = '', orderId = '' } = root?.dataset ?? {}
if (root) createSSRApp(Checkout, { publicKey, amount, orderId }).mount(root)
