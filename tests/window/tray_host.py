"""A tray for tests: owns the X server's tray selection and takes in the icons that ask to be shown, as a panel does
(System Tray Protocol). Run as a process of its own; prints "tray" when it is there and "docked" for each icon."""

from __future__ import annotations

from Xlib import X, Xatom, display
from Xlib.protocol import event


def main() -> None:
    connection = display.Display()
    screen = connection.screen()
    bar = screen.root.create_window(0, 0, 200, 32, 0, screen.root_depth, event_mask=X.StructureNotifyMask)
    selection = connection.intern_atom(f"_NET_SYSTEM_TRAY_S{connection.get_default_screen()}")
    opcode = connection.intern_atom("_NET_SYSTEM_TRAY_OPCODE")
    bar.change_property(connection.intern_atom("_NET_SYSTEM_TRAY_VISUAL"), Xatom.VISUALID, 32, [screen.root_visual])
    bar.set_selection_owner(selection, X.CurrentTime)
    bar.change_attributes(override_redirect=True)
    bar.map()
    manager = connection.intern_atom("MANAGER")
    told = event.ClientMessage(window=screen.root, client_type=manager, data=(32, [0, selection, bar.id, 0, 0]))
    screen.root.send_event(told, event_mask=X.StructureNotifyMask)
    connection.flush()
    print("tray", flush=True)
    while True:
        happened = connection.next_event()
        if happened.type == X.ClientMessage and happened.client_type == opcode and happened.data[1][1] == 0:
            icon = connection.create_resource_object("window", happened.data[1][2])
            icon.reparent(bar, 0, 0)
            icon.configure(width=32, height=32)
            icon.map()
            connection.flush()
            print("docked", flush=True)


if __name__ == "__main__":
    main()
