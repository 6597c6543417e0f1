/** The stylesheet of /docs; its hash is in the page's Content-Security-Policy. */
export const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:#0a58ca}@media(prefers-color-scheme:dark){:root{--link:#7ab7ff}}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:18rem minmax(0,1fr);font:15px/1.5 system-ui,sans-serif}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:13px}nav ul{list-style:none;margin:.2rem 0 .8rem;padding:0}nav li{padding:.1rem 0}
main{max-width:62rem;padding:1rem 2rem 4rem}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h2{margin-top:3rem;border-bottom:1px solid var(--line)}article{margin:1.5rem 0;padding:.2rem 1.2rem 1rem;border:1px solid var(--line);border-radius:8px}article:target{border-color:var(--link)}
h3{overflow-wrap:anywhere}h4{margin:1.2rem 0 .4rem}code{font:13px ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px}
table{border-collapse:collapse;width:100%;margin:.4rem 0}td{vertical-align:top;padding:.35rem .6rem;border-top:1px solid var(--line);overflow-wrap:anywhere}td:first-child{width:26%}td:nth-child(2){width:26%}
td b{color:#c2410c;font-weight:500;font-size:12px}small{opacity:.7}dl{display:grid;grid-template-columns:3rem 1fr;gap:.3rem .6rem;margin:0}dt{font-weight:600}dd{margin:0}dd p{margin:.3rem 0}
.get,.post,.put,.patch,.delete{display:inline-block;min-width:3.6em;text-align:center;padding:0 .35em;border-radius:4px;color:#fff;font:600 11px/1.6 ui-monospace,monospace}
.get{background:#0b6e4f}.post{background:#1d4ed8}.put{background:#92400e}.patch{background:#7c3aed}.delete{background:#b91c1c}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`;
