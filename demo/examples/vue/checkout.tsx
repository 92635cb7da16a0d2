/** @jsxImportSource vue */
import { defineComponent, onMounted, ref } from 'vue'
import type { StablecoinCheckout } from '../../../widget/types/stablecoin-checkout.d.ts'

/**
 * The tag in Vue 3. In a template it is `<stablecoin-checkout … @sc-status-change="…">`, with
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
    // What was told before Vue took over the page is asked for once.
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
        {/* A word for the customer; the goods are shipped by the server, which hears of it by webhook. */}
        <p role="status">The payment is {outcome.value}</p>
      </>
    )
  },
})
