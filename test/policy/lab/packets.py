"""Sends packets between network namespaces that live and die with this process, and tells which arrive.

Standard input: a list of worlds, each {nodes: [{name, ips}], pods: [{id, ips, node}], outside: [ip], rules: {node:
[{command, text}]}, probes: [{src, dst, sip, dip, protocol, port}]} as JSON; src and dst are pod ids, "node:NAME" or
"outside". Output: for each world a list that says of each probe whether its packet (TCP: the whole handshake) got
through, or {error: text}. Nothing but namespaces made here is touched.
"""
import ctypes, ipaddress, json, os, select, socket, struct, subprocess, sys, time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
SCTP = 132


def new_namespace():
    if libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    fd = os.open("/proc/self/ns/net", os.O_RDONLY)
    run("ip link set lo up")
    write("/proc/sys/net/ipv4/conf/all/rp_filter", "0")
    write("/proc/sys/net/ipv4/conf/default/rp_filter", "0")
    for where in ("all", "default"):
        write(f"/proc/sys/net/ipv6/conf/{where}/accept_dad", "0")
    return fd


def enter(fd):
    if libc.setns(fd, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def run(command, text=None):
    done = subprocess.run(command, shell=True, input=text, text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr.strip()}")


def batch(lines):
    run("ip -batch -", "\n".join(lines) + "\n")


def six(ip):
    return ":" in ip


def bits(ip):
    return f"{ip}/{128 if six(ip) else 32}"


def forward():
    write("/proc/sys/net/ipv4/ip_forward", "1")
    write("/proc/sys/net/ipv6/conf/all/forwarding", "1")


def link(upper, lower, name, level):
    """A wire from `upper` (called `name` there) to `lower` (called eth0 there), with gateway addresses above."""
    enter(upper)
    path = f"/proc/{os.getpid()}/fd/{lower}"
    batch([
        f"link add {name} type veth peer name eth0 netns {path}",
        f"addr add 169.254.{level}.1/32 dev {name}",
        f"addr add fe80::{level}/64 dev {name} nodad",
        f"link set {name} up",
    ])
    enter(lower)
    batch([
        "link set eth0 up",
        f"addr add 169.254.{level}.2/32 dev eth0",
        f"addr add fe80::{level}:2/64 dev eth0 nodad",
        f"route add default via 169.254.{level}.1 dev eth0 onlink",
        f"route add ::/0 via fe80::{level} dev eth0",
    ])


def build(world):
    """Namespace of every name: pods hang on their nodes, nodes on the outside, which routes everything else."""
    spaces = {"outside": new_namespace()}
    forward()
    batch([f"addr add {bits(ip)} dev lo" + (" nodad" if six(ip) else "") for ip in world["outside"]] or ["link show lo"])
    for at, node in enumerate(world["nodes"]):
        fd = spaces["node:" + node["name"]] = new_namespace()
        forward()
        link(spaces["outside"], fd, f"n{at}", 1)
        batch([f"addr add {bits(ip)} dev eth0" + (" nodad" if six(ip) else "") for ip in node["ips"]] or ["link show lo"])
        enter(spaces["outside"])
        batch([route(ip, f"n{at}") for ip in node["ips"]] or ["link show lo"])
    for at, pod in enumerate(world["pods"]):
        fd = spaces[pod["id"]] = new_namespace()
        node = spaces["node:" + pod["node"]]
        link(node, fd, f"p{at}", 2)
        batch([f"addr add {bits(ip)} dev eth0" + (" nodad" if six(ip) else "") for ip in pod["ips"]])
        enter(node)
        batch([route(ip, f"p{at}") for ip in pod["ips"]])
        enter(spaces["outside"])
        index = [each["name"] for each in world["nodes"]].index(pod["node"])
        batch([route(ip, f"n{index}", via="1") for ip in pod["ips"]])
    for node, rules in world["rules"].items():
        enter(spaces["node:" + node])
        for rule in rules:
            run(rule["command"], rule["text"])
    return spaces


def route(ip, device, via=None):
    if six(ip):
        return f"route add {ip}/128" + (f" via fe80::{via}:2" if via else "") + f" dev {device}"
    return f"route add {ip}/32" + (f" via 169.254.{via}.2 dev {device} onlink" if via else f" dev {device}")


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def sctp_init(source, destination):
    """A first SCTP packet: kernels without SCTP sockets still forward and filter it."""
    chunk = struct.pack("!BBHIIHHI", 1, 0, 20, 0x1234, 65535, 1, 1, 1)
    head = struct.pack("!HHI", source, destination, 0)
    return head + struct.pack("<I", crc32c(head + b"\0\0\0\0" + chunk)) + chunk


def probe(world, spaces):
    probes = world["probes"]
    family = lambda each: socket.AF_INET6 if six(each["dip"]) else socket.AF_INET
    passed = [False] * len(probes)
    listeners = {}
    for each in probes:
        sctp = each["protocol"] == "SCTP"
        key = (each["dst"], each["dip"], each["protocol"], 0 if sctp else each["port"])
        if key in listeners:
            continue
        enter(spaces[each["dst"]])
        kind = {"TCP": socket.SOCK_STREAM, "UDP": socket.SOCK_DGRAM, "SCTP": socket.SOCK_RAW}[each["protocol"]]
        made = socket.socket(family(each), kind, SCTP if sctp else 0)
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((each["dip"], 0 if sctp else each["port"]))
        if each["protocol"] == "TCP":
            made.listen(4096)
        listeners[key] = made
    poll = select.poll()
    names = {made.fileno(): key for key, made in listeners.items() if key[2] != "TCP"}
    for fd in names:
        poll.register(fd, select.POLLIN)
    clients = {}
    for at, each in enumerate(probes):
        enter(spaces[each["src"]])
        if each["protocol"] == "SCTP":
            with socket.socket(family(each), socket.SOCK_RAW, SCTP) as made:
                made.bind((each["sip"], 0))
                send(made, sctp_init(10000 + at, each["port"]), (each["dip"], 0))
            continue
        tcp = each["protocol"] == "TCP"
        made = socket.socket(family(each), socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM)
        made.setblocking(False)
        made.bind((each["sip"], 0))
        if tcp:
            made.connect_ex((each["dip"], each["port"]))
            clients[made.fileno()] = (made, at)
            poll.register(made.fileno(), select.POLLOUT)
        else:
            send(made, struct.pack("!I", at), (each["dip"], each["port"]))
            made.close()
    # Whatever gets through does so at once here; late packets of a loaded machine get their time.
    quiet = time.monotonic()
    while time.monotonic() - quiet < 0.35:
        for fd, _ in poll.poll(50):
            quiet = time.monotonic()
            if fd in clients:
                made, at = clients.pop(fd)
                passed[at] = made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
                poll.unregister(fd)
                made.close()
            else:
                receive(listeners[names[fd]], names[fd], passed)
    for made, _ in clients.values():
        made.close()
    for made in listeners.values():
        made.close()
    return passed


def send(made, data, to):
    try:
        made.sendto(data, to)
    except OSError:
        pass  # Rejected or dropped on the way out: it does not arrive.


def receive(made, key, passed):
    data = made.recv(2048)
    if key[2] == "UDP":
        passed[struct.unpack("!I", data[:4])[0]] = True
    else:
        data = data if six(key[1]) else data[(data[0] & 15) * 4 :]
        passed[struct.unpack("!H", data[:2])[0] - 10000] = True


def main():
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    results = []
    for world in json.load(sys.stdin):
        spaces = {}
        try:
            spaces = build(world)
            results.append(probe(world, spaces))
        except (OSError, RuntimeError) as error:
            results.append({"error": str(error)})
        enter(home)
        for fd in spaces.values():
            os.close(fd)
    json.dump(results, sys.stdout)


main()
