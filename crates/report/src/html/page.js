"use strict";
// One cursor, the number of a step, drives every pane: source, steps, values, calls. The address holds it.
const get = id => document.getElementById(id);
const make = (tag, text, attributes) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const name in attributes || {}) made.setAttribute(name, attributes[name]);
  return made;
};
const answer = JSON.parse(get("answer").textContent);
const run = answer.counterexample, steps = run ? run.steps : [];
const links = [...document.querySelectorAll(".steps a[data-step]")];
const notes = [...document.querySelectorAll(".notes a[data-step]")];
let cursor = 0, extra = null;

// The values after each step: those that the steps name. Behind a gap nothing is known.
function valuesAt(number) {
  const values = new Map();
  for (let at = 0; at < number && at < steps.length; at++) {
    if (steps[at].place === null && / steps left out$/.test(steps[at].text)) values.clear();
    for (const change of steps[at].changes) values.set(change.name, { before: change.before, now: change.after, at: at + 1 });
  }
  return values;
}
function historyOf(name) {
  const seen = [];
  steps.forEach((step, at) => step.changes.forEach(change => {
    const value = Number(change.after);
    if (change.name === name && change.after !== "" && Number.isFinite(value)) seen.push([at + 1, value]);
  }));
  return seen;
}
const histories = new Map();
function spark(name, number) {
  if (!histories.has(name)) histories.set(name, historyOf(name));
  const seen = histories.get(name);
  if (seen.length < 3) return null;
  const space = "http://www.w3.org/2000/svg", values = seen.map(one => one[1]);
  const low = Math.min(...values), high = Math.max(...values), span = high - low || 1;
  const x = at => 2 + 86 * at / steps.length, y = value => 16 - 14 * (value - low) / span;
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("class", "spark");
  picture.setAttribute("viewBox", "0 0 90 18");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", name + " between " + low + " and " + high);
  const line = document.createElementNS(space, "polyline");
  line.setAttribute("points", seen.map(one => x(one[0]) + "," + y(one[1])).join(" "));
  picture.append(line);
  const last = seen.filter(one => one[0] <= number).pop();
  if (last) {
    const dot = document.createElementNS(space, "circle");
    dot.setAttribute("cx", x(last[0])); dot.setAttribute("cy", y(last[1])); dot.setAttribute("r", 2.5);
    picture.append(dot);
  }
  return picture;
}
function showValues(number) {
  const body = get("values");
  if (!body) return;
  const rows = [];
  for (const [name, value] of valuesAt(number)) {
    const row = make("tr", undefined, value.at === number ? { class: "changed" } : {});
    const head = make("th", undefined, { scope: "row", class: "mono" });
    const jump = make("button", name, { type: "button", title: "go to the step that wrote it" });
    jump.addEventListener("click", () => go(value.at));
    head.append(jump);
    const graph = make("td"), picture = spark(name, number);
    if (picture) graph.append(picture);
    row.append(head, make("td", value.before === null ? "" : value.before, { class: "mono" }), make("td", value.now, { class: "mono" }), graph);
    rows.push(row);
  }
  if (rows.length === 0) rows.push(make("tr")), rows[0].append(make("td", "nothing yet", { colspan: 4, class: "dim" }));
  body.replaceChildren(...rows);
}
function showCalls(number) {
  const list = get("calls");
  if (!list) return;
  const open = [];
  for (let at = 0; at < number; at++) {
    const step = steps[at];
    if (step.function === null) continue;
    open.length = Math.min(open.length, step.depth + 1);
    const before = open[step.depth];
    const from = step.depth > 0 && open[step.depth - 1] ? open[step.depth - 1].last : null;
    if (!before || before.name !== step.function) open[step.depth] = { name: step.function, from };
    open[step.depth].last = step.place;
  }
  const items = open.filter(Boolean).map(call => make("li", call.name + (call.from ? ", called at " + call.from : "")));
  list.replaceChildren(...(items.length ? items : [make("li", "no call is open")]));
}
function go(number, from) {
  if (links.length === 0) return;
  number = Math.max(1, Math.min(links.length, number));
  const link = links[number - 1], row = link.dataset.row ? get(link.dataset.row) : null;
  cursor = number;
  for (const one of [...links, ...notes]) {
    if (Number(one.dataset.step) === number) one.setAttribute("aria-current", "step"); else one.removeAttribute("aria-current");
  }
  document.querySelectorAll(".line.now").forEach(one => one.classList.remove("now"));
  if (extra) { extra.remove(); extra = null; }
  if (row) {
    row.classList.add("now");
    if (!row.querySelector("a[aria-current]")) {
      let list = row.querySelector(".notes");
      if (!list) row.append(list = make("ul", undefined, { class: "notes" }));
      extra = make("li");
      extra.append(make("span", link.dataset.text || link.querySelector(".text").textContent, { class: "note" }));
      list.append(extra);
    }
    const box = row.getBoundingClientRect();
    if (box.top < 60 || box.bottom > innerHeight - 20) row.scrollIntoView({ block: "center" });
  }
  const list = link.closest(".steps"), shift = link.offsetTop - list.offsetTop;
  if (shift < list.scrollTop || shift > list.scrollTop + list.clientHeight - 40) list.scrollTop = shift - list.clientHeight / 2;
  get("position").textContent = get("kind").dataset.kind + " " + number + " of " + links.length + (link.dataset.at ? ", " + link.dataset.at : "");
  get("first").disabled = get("back").disabled = number === 1;
  get("next").disabled = get("last").disabled = number === links.length;
  showValues(number);
  showCalls(number);
  if (from !== "address") history.replaceState(null, "", "#step=" + number);
}
function follow() {
  const asked = /^#step=(\d+)$/.exec(location.hash);
  if (asked) go(Number(asked[1]), "address");
  return asked !== null;
}
if (links.length > 0) {
  get("controls").hidden = false;
  for (const [id, to] of [["first", () => 1], ["back", () => cursor - 1], ["next", () => cursor + 1], ["last", () => links.length]]) {
    get(id).addEventListener("click", () => go(to()));
  }
  for (const one of [...links, ...notes]) {
    one.addEventListener("click", event => { event.preventDefault(); go(Number(one.dataset.step)); });
  }
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    // Up and down scroll the page, except in the list of steps.
    const inList = event.target.closest && event.target.closest(".steps");
    const key = inList && event.key === "ArrowDown" ? "j" : inList && event.key === "ArrowUp" ? "k" : event.key;
    const to = { ArrowRight: cursor + 1, j: cursor + 1, ArrowLeft: cursor - 1, k: cursor - 1, Home: 1, End: links.length }[key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
    if (inList) links[cursor - 1].focus();
  });
  addEventListener("hashchange", follow);
}
const far = document.querySelector(".far"), only = get("only");
if (far && only) {
  const set = on => { document.body.classList.toggle("focus", on); only.setAttribute("aria-pressed", on); };
  only.hidden = false;
  only.addEventListener("click", () => set(!document.body.classList.contains("focus")));
  set(only.dataset.on === "true");
}
if (links.length > 0 && !follow()) go(1, "address");
document.querySelectorAll("button.copy").forEach(button => {
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = button.parentElement.querySelector("pre").textContent;
    const done = () => { button.textContent = "Copied"; setTimeout(() => { button.textContent = "Copy"; }, 1500); };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
  });
});
const save = get("save-json");
if (save) {
  save.hidden = false;
  save.addEventListener("click", () => {
    const link = make("a", "", { download: "answer.json" });
    link.href = URL.createObjectURL(new Blob([get("answer").textContent + "\n"], { type: "application/json" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach(one => { one.open = true; });
});
addEventListener("afterprint", () => opened.forEach(one => { one.open = false; }));
