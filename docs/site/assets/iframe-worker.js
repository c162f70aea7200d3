// A page that is opened from a file may start no worker, and the search runs in one: here it gets a hidden frame of
// the page instead. (The theme's plugin `offline` would load such a script from the network, were there none of this
// name.) The search's `importScripts` is for languages other than English, and is not provided.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #waiting = []; // messages from before the script is there

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#frame.addEventListener("load", () => this.#begin(url), { once: true });
      document.body.append(this.#frame);
    }

    #begin(url) {
      const scope = this.#frame.contentWindow;
      scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = scope.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      });
      scope.document.body.append(script);
    }

    postMessage(data) {
      if (this.#waiting) {
        this.#waiting.push(data);
      } else {
        const scope = this.#frame.contentWindow;
        scope.dispatchEvent(new scope.MessageEvent("message", { data }));
      }
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
