"""A headless Chromium, driven through playwright, for tests of pages; they skip where there is none."""

import shutil
from contextlib import contextmanager

import pytest

QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)

PATIENCE = (
    120_000  # milliseconds that a browser may take to start, to draw or to answer on a busy machine
)


def needed():
    """Return playwright and where Chromium lies; skips with a reason where one is absent."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    where = shutil.which("chromium")
    if where is None:
        pytest.skip("there is no chromium on the path")
    return sync_api, where


@contextmanager
def chromium():
    """Start one browser. As long as it runs, nothing else in its thread may use asyncio: Inspect would patch it."""
    sync_api, where = needed()
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=where, args=list(QUIET), timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """One page of a browser, and what went on since it last opened a file: errors, dialogs, requests."""

    def __init__(self, browser):
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors, self.requests, self.address = [], [], ""
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.errors.append("dialog"), dialog.dismiss()))
        self.page.on("console", self._said)
        self.page.route("**/*", self._asked)

    def open(self, file, width=1280, scheme="light"):
        """Load a file anew; returns the page."""
        self.page.goto("about:blank")
        self.page.emulate_media(media="screen", color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": 800})
        self.errors.clear()
        self.requests.clear()
        self.address = file.as_uri()
        self.page.goto(self.address)
        return self.page

    def quiet(self):
        """Say whether nothing went wrong and nothing was asked for."""
        return (self.errors, self.requests) == ([], [])

    def _said(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, route):
        address = route.request.url
        if address.partition("#")[0] == self.address or address.startswith("data:"):
            route.continue_()
        else:
            self.requests.append(address)
            route.abort()


# Contrast of every visible text with what lies behind it, as WCAG 2 has it.
CONTRASTS = r"""
() => {
  const numbers = (color) => (color.match(/[\d.]+/g) || []).map(Number);
  const part = (value) => {
    const scaled = value / 255;
    return scaled <= 0.04045 ? scaled / 12.92 : ((scaled + 0.055) / 1.055) ** 2.4;
  };
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
      if (color.length === 4 && color[3] > 0) return null;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("script, style, noscript")) continue;
    const style = getComputedStyle(element);
    // What stands on a shape of a figure's own has a colour of its own.
    if (element.closest("svg") && style.fill !== style.color) continue;
    const color = numbers(style.color);
    const [a, b] = [light(color), light(behind(element))].sort((x, y) => y - x);
    found.push([text.slice(0, 60), Math.round(100 * (a + 0.05) / (b + 0.05)) / 100]);
  }
  return found;
}
"""
