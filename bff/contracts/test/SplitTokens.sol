// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev Refuses one account in a way of its maker's choice, and tells the splitter's every call to a listener first.
contract MoodyToken is ERC20("Moody", "M") {
    enum Refusal {
        Reverts,
        AnswersFalse,
        MovesAndAnswersFalse,
        RevertsWith100kB,
        BurnsAllGas
    }

    address public refused;
    Refusal public refusal;
    address public listener;
    bytes public callback;
    uint256 public calls;
    bytes public answer;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function refuse(address account, Refusal how) external {
        (refused, refusal) = (account, how);
    }

    function callBack(address newListener, bytes calldata newCallback) external {
        (listener, callback) = (newListener, newCallback);
    }

    function transfer(address to, uint256 amount) public virtual override returns (bool) {
        (bool doesMove, bool isTrue) = _mood(to);
        if (doesMove) _transfer(msg.sender, to, amount);
        return isTrue;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        (bool doesMove, bool isTrue) = _mood(to);
        if (doesMove) super.transferFrom(from, to, amount);
        return isTrue;
    }

    function _mood(address to) private returns (bool doesMove, bool isTrue) {
        if (listener != address(0)) {
            ++calls;
            (, answer) = listener.call(callback);
        }
        if (to != refused) return (true, true);
        if (refusal == Refusal.AnswersFalse) return (false, false);
        if (refusal == Refusal.MovesAndAnswersFalse) return (true, false);
        if (refusal == Refusal.RevertsWith100kB) {
            assembly {
                revert(0, 100000)
            }
        }
        if (refusal == Refusal.BurnsAllGas) {
            assembly {
                invalid()
            }
        }
        revert("refused");
    }
}

/// @dev Believes everyone who brings an authorization, moves nothing for it when told so, and takes a tax from senders.
contract CarelessToken is MoodyToken {
    bool public isIdle;
    uint256 public taxBps;

    function set(bool newIsIdle, uint256 newTaxBps) external {
        (isIdle, taxBps) = (newIsIdle, newTaxBps);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        uint8,
        bytes32,
        bytes32
    ) external {
        if (!isIdle) _transfer(from, to, value);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (taxBps > 0) _burn(msg.sender, amount * taxBps / 10_000);
        return super.transfer(to, amount);
    }
}

/// @dev Who is paid gets less than is sent, or more.
contract UnevenToken is MoodyToken {
    uint256 public feeBps;
    uint256 public bonusBps;

    function set(uint256 newFeeBps, uint256 newBonusBps) external {
        (feeBps, bonusBps) = (newFeeBps, newBonusBps);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from == address(0) || to == address(0)) return;
        super._update(to, address(0), value * feeBps / 10_000);
        super._update(address(0), to, value * bonusBps / 10_000);
    }
}

/// @dev Accepts every call and does nothing, as some tokens' fallback does.
contract YesToken {
    fallback() external {}
}
