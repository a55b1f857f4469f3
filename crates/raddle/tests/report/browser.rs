//! A browser without a window, driven by the DevTools protocol over a pair of pipes: messages are JSON, each ends with a zero byte.
//!
//! Chromium takes the pipes as its descriptors 3 and 4. A shell gives it two named pipes there.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    process: Child,
    to: File,
    from: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// What the page wrote to the console, and what went wrong: errors, refused resources.
    pub complaints: Vec<String>,
    loaded: bool,
}

/// The first browser in PATH.
fn installed() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    })
}

impl Browser {
    /// None: there is no browser here. Its files are in the folder.
    pub fn start(dir: &Path) -> Option<Browser> {
        let name = installed()?;
        let [to, from] = ["to", "from"].map(|name| dir.join(name));
        for pipe in [&to, &from] {
            nix::unistd::mkfifo(pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }
        let options = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
                       --remote-debugging-pipe";
        let process = Command::new("sh")
            .args(["-c", &format!("exec {name} {options} --user-data-dir=\"$0/profile\" 3<\"$0/to\" 4>\"$0/from\"")])
            .arg(dir)
            .env("HOME", dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = File::options().write(true).open(to).unwrap();
        let pipe = BufReader::new(File::open(from).unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in pipe.split(0) {
                let Some(message) = message.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser { process, to, from, session: None, last: 0, complaints: Vec::new(), loaded: false };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        loop {
            let mut answer = self.next(method);
            if answer["id"] == self.last {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].take();
            }
        }
    }

    /// The next message; events are noted.
    fn next(&mut self, waiting_for: &str) -> Value {
        let message = self.from.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|error| panic!("the browser says nothing to {waiting_for}: {error}"));
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded") => {
                self.complaints.push(message["params"].to_string());
            }
            _ => {}
        }
        message
    }

    /// Opens a file; the time until it is loaded and painted.
    pub fn open(&mut self, file: &Path) -> Duration {
        self.loaded = false;
        let begin = Instant::now();
        let answer = self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        assert_eq!(answer["errorText"], Value::Null);
        while !self.loaded {
            self.next("Page.navigate");
        }
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(() => done(1))))");
        begin.elapsed()
    }

    /// The value of an expression of JavaScript in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", parameters);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].take()
    }

    /// Waits until a condition holds, for as long as for an answer.
    pub fn wait_until(&mut self, condition: &str) {
        self.value(&format!(
            "new Promise(done => {{ const look = () => {condition} ? done(1) : setTimeout(look, 5); look(); }})"
        ));
    }

    pub fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({selector:?})?.innerText ?? 'NOTHING'"));
        value.as_str().unwrap_or_default().into()
    }

    pub fn count(&mut self, selector: &str) -> u64 {
        self.value(&format!("document.querySelectorAll({selector:?}).length")).as_u64().unwrap()
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "End" => 35,
            "Home" => 36,
            _ => 0,
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let parameters = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", parameters);
        }
    }

    pub fn look(&mut self, width: u32, height: u32, scheme: &str) {
        let parameters = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", parameters);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Base64 of a picture of what is seen.
    pub fn picture(&mut self) -> String {
        let answer = self.call("Page.captureScreenshot", json!({"format": "webp", "quality": 82}));
        answer["data"].as_str().unwrap_or_default().into()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
