import { tokenStyles } from '../../core/design-tokens.ts'

/** Styles of the reference, which has no script. Light and dark follow the browser, and everything fits at 320 px. */
export const style = `:root{color-scheme:light dark;
${tokenStyles};
--text:var(--color-text);--muted:var(--color-muted);--page:var(--color-surface);--raised:var(--color-raised);
--line:var(--color-border);--accent:var(--color-accent);
--get:var(--color-success);--write:var(--color-accent);--remove:var(--color-danger);
--code:light-dark(#0f1420,#0a0c11);--code-text:#e6eaf2;--code-name:#9db4ff;--code-string:#7fd8a8;--code-value:#f2b950}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
body{margin:0;font:16px/1.6 var(--font);color:var(--text);background:var(--page)}
a{color:var(--accent);text-underline-offset:.2em}
h1,h2,h3,p,ul,ol,dl,dd,figure,pre{margin:0;padding:0}
ul,ol{list-style:none}
h1{font-size:2rem;line-height:1.2}
h2{font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}
h3{font-size:1rem;margin-top:24px}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
main:focus{outline:none}
code{font:.875em/1.5 var(--font-code);overflow-wrap:anywhere}
p code,dd code,li>a code,summary code{background:var(--raised);padding:1px 4px;border-radius:4px}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;padding:8px 12px;background:var(--page);z-index:1}
header{display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;align-items:center;
padding:12px 20px;border-bottom:1px solid var(--line)}
.brand{font-weight:650;color:inherit;text-decoration:none}
.brand span{color:var(--muted);font-weight:400}
nav{padding:12px 20px;border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:4px}
nav a{display:block;padding:4px 10px;border-radius:6px;color:inherit;text-decoration:none}
nav a:hover{background:var(--raised)}
nav a[aria-current]{background:var(--raised);font-weight:600;box-shadow:inset 0 0 0 1px var(--line)}
main{padding:24px 20px 80px;max-width:84rem;min-width:0}
.lead{margin-top:12px;font-size:1.1rem;color:var(--muted);max-width:44rem}
section{margin-top:40px}
section>h2+*{margin-top:12px}
.operation{padding-top:40px;border-top:1px solid var(--line)}
.text{max-width:44rem;min-width:0}
.text p{margin-top:8px}
.samples{margin-top:16px;min-width:0}
.samples .code+.code{margin-top:12px}
.steps{counter-reset:step}
.steps li{counter-increment:step;margin-top:24px}
.steps h3{margin-top:0}
.steps h3::before{content:counter(step);display:inline-grid;place-content:center;width:1.6em;height:1.6em;margin-right:.5em;
border-radius:50%;background:var(--accent);color:var(--color-on-accent);font-size:.85em}
.address{display:flex;flex-wrap:wrap;gap:4px 8px;align-items:baseline}
.method{font:600 .75rem/1.6 var(--font-code);color:var(--write);min-width:3.4em}
.method.get{color:var(--get)}
.method.delete{color:var(--remove)}
.caller{color:var(--muted);font-size:.9375rem}
.status{font:600 .875rem/1.5 var(--font-code)}
.index{margin-top:12px;border:1px solid var(--line);border-radius:var(--radius-m);overflow:hidden}
.index li+li{border-top:1px solid var(--line)}
.index a{display:grid;grid-template-columns:3.6em minmax(0,1fr);gap:0 8px;padding:8px 12px;color:inherit;text-decoration:none;
outline-offset:-2px}
.index a:hover{background:var(--raised)}
.index .path{display:block;background:none;padding:0;color:var(--muted)}
.names{margin-top:16px;columns:14rem;overflow-wrap:anywhere}
.fields{margin-top:8px}
.fields>div{padding:8px 0;border-top:1px solid var(--line);min-width:0}
.fields dt{overflow-wrap:anywhere}
.fields dt code{font-weight:600}
.fields dd p{margin-top:2px}
.fields .fields{margin-left:12px}
.type,.optional,.rules{color:var(--muted);font-size:.875rem}
.required{font-size:.8125rem;font-weight:600;color:var(--remove)}
details{margin-top:8px}
summary{cursor:pointer}
.response{border-top:1px solid var(--line);padding-top:8px;margin-top:8px}
.event{border-top:1px solid var(--line);padding-top:8px}
.code{border-radius:var(--radius-m);overflow:hidden;background:var(--code);color:var(--code-text);border:1px solid var(--line)}
.code figcaption{padding:6px 14px;font-size:.8125rem;color:#b6bdcc;border-bottom:1px solid #2b3040}
.code pre{padding:12px 14px;font-size:.8125rem;line-height:1.5;overflow:auto;max-height:28rem;outline-offset:-4px}
.code code{font-size:1em;overflow-wrap:normal;background:none;padding:0}
.code .name{color:var(--code-name)}
.code .string{color:var(--code-string)}
.code .value{color:var(--code-value)}
@media (min-width:60rem){
.frame{display:grid;grid-template-columns:14rem minmax(0,1fr)}
nav{border:0;padding:24px 12px}
nav ul{position:sticky;top:24px;display:grid}
main{padding:32px 40px 120px;border-left:1px solid var(--line)}
}
@media (min-width:80rem){
.operation,.steps li{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,32rem);gap:0 40px;align-items:start}
.operation .samples,.steps .samples{margin-top:0}
.operation .samples{position:sticky;top:16px}
}
@media print{nav,.skip{display:none}.code pre{max-height:none}}
`
