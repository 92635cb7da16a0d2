# Sells orders by payment link, with Python alone. Environment: CHECKOUT_URL, API_KEY, API_SECRET, WEBHOOK_SECRET, SHOP_URL, PORT.
import base64, hashlib, hmac, json, os, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

env = os.environ
# Anybody could sign with an empty one.
if not re.match("whsec_.{32}", env["WEBHOOK_SECRET"]):
    raise SystemExit("WEBHOOK_SECRET must be the webhook secret, whsec_…")
# Your database: what each order costs, in whole tokens, and whether it is paid.
orders = {"1042": {"amount": "25.00", "paid": False}}


def pay_link(order_id):
    body = {"orderId": order_id, "amount": orders[order_id]["amount"], "callbackUrl": env["SHOP_URL"] + "/webhooks"}
    keys = {"Content-Type": "application/json", "X-API-Key": env["API_KEY"], "X-API-Secret": env["API_SECRET"]}
    # Raises HTTPError for a refusal.
    with urlopen(Request(env["CHECKOUT_URL"] + "/api/v1/links", json.dumps(body).encode(), keys), timeout=30) as answer:
        return json.load(answer)["link"]["url"]


def is_signed(headers, body):
    at, signed = headers["webhook-timestamp"] or "0", f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
    mac = hmac.new(base64.b64decode(env["WEBHOOK_SECRET"][6:]), signed + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    given = (headers["webhook-signature"] or "").split(" ")
    is_recent = at.isdigit() and abs(time.time() - int(at)) < 300
    return is_recent and any(hmac.compare_digest(one.encode(), expected) for one in given)


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path.startswith("/buy/"):
            return self.reply(303, pay_link(self.path[5:]))
        if not is_signed(self.headers, body):
            return self.reply(401)
        data = json.loads(body)["data"]
        order = orders.get(data["orderId"])
        # Whoever has the public key can pay the order by no link, in as many of a token that is worth less.
        is_ours = order and data["linkId"] is not None and data["amount"] == order["amount"]
        if is_ours and data["outcome"] == "paid" and not data["isTest"]:
            order["paid"] = True
        self.reply(204)

    def do_GET(self):
        self.reply(200, body=b"paid" if orders[self.path[8:]]["paid"] else b"open")

    def reply(self, status, location=None, body=b""):
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(env["PORT"])), Shop).serve_forever()
