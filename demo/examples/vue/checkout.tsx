/** @jsxImportSource vue */
import { defineComponent, onMounted, ref } from 'vue'
import type { StablecoinCheckout } from '../../../widget/types/stablecoin-checkout.d.ts'

/**
 * The tag in Vue 3. In a template: `<stablecoin-checkout … @sc-status-change="…">`, with
 * `app.config.compilerOptions.isCustomElement = (tag) => tag === 'stablecoin-checkout'`.
 */
export const Checkout = defineComponent({
  props: {
    publicKey: { type: String, required: true },
    amount: { type: String, required: true },
    orderId: { type: String, required: true },
  },
  setup(props) {
    const tag = ref<StablecoinCheckout>()
    const outcome = ref('on its way')
    // Reads once what was emitted before Vue hydrated the page.
    onMounted(() => {
      outcome.value = tag.value?.payment?.outcome ?? outcome.value
    })
    return () => (
      <>
        <h1>Vue shop</h1>
        <stablecoin-checkout
          ref={tag}
          public-key={props.publicKey}
          amount={props.amount}
          currency="USDC"
          network="devnet"
          order-id={props.orderId}
          metadata='{"shop":"vue"}'
          onScStatusChange={({ detail }) => {
            outcome.value = detail.payment.outcome
          }}
        />
        {/* For the customer's display only; the server ships the goods after the webhook. */}
        <p role="status">The payment is {outcome.value}</p>
      </>
    )
  },
})
