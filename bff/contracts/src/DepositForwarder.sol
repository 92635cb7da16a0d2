// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {Terms} from "./Terms.sol";

/// @title The contract at a deposit address
/// @notice Pays a covered deposit to merchant and platform, once, and returns to payers only what is not theirs.
/// @dev A clone of this code is deployed by the first settlement or refund. It stores nothing in the common case:
/// deployed means settled. Only the rare cases write, `isOpen` when a refund had to deploy a deposit that is not
/// settled yet, `parked` when the platform's wallet refused its share.
/// The factory is the only caller. It derives this address from the very terms it passes on and holds the guard
/// against reentry, so the terms here are always the right ones and no call happens inside another.
contract DepositForwarder {
    using SafeERC20 for IERC20;

    /// @notice The merchant's and the platform's shares at settlement, in base units of `token`.
    event Settled(address indexed token, uint256 merchantAmount, uint256 platformAmount);
    /// @notice The platform's wallet refused its share, which waits here for `payParked`.
    event PlatformShareParked(address indexed token, uint256 amount);
    /// @notice A parked share has reached the platform.
    event PlatformSharePaid(address indexed token, uint256 amount);
    /// @notice Money went back; `token` zero is the chain's own coin.
    event Refunded(address indexed token, address indexed to, uint256 amount);

    error NotFactory(address caller);
    error WrongChain(uint256 expected, uint256 actual);
    error NotCovered(uint256 balance, uint256 least);
    error AlreadySettled(address forwarder);
    error NothingParked(address forwarder);
    error BadRefundRecipient(address to);
    error NotRefundable(address token, uint256 amount, uint256 refundable);
    error DueTokenMoved(uint256 balanceBefore, uint256 balanceAfter);

    uint256 private constant BPS = 10_000;

    address private immutable FACTORY = msg.sender;

    /// @notice True when this contract was deployed by a refund and the deposit can still be settled.
    bool public isOpen;
    /// @notice The platform's share that its wallet refused, in base units of the due token.
    uint128 public parked;

    modifier onlyFactory() {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        _;
    }

    /// @notice Takes the chain's own coin, which the operator can return.
    receive() external payable {}

    /// @notice Pays platform and merchant what was received, up to the amount due. What exceeds it stays, refundable.
    /// @dev A platform that cannot be paid must not keep the merchant from the money, so its leg may fail; the merchant's may not.
    /// @param isNew Whether the factory has deployed this contract for this very call
    function settle(Terms calldata terms, bool isNew) external onlyFactory {
        if (block.chainid != terms.chainId) revert WrongChain(terms.chainId, block.chainid);
        if (!isNew) {
            if (!isOpen) revert AlreadySettled(address(this));
            isOpen = false;
        }
        uint256 balance = SafeTransferLib.balanceOf(terms.token, address(this));
        if (balance < terms.least) revert NotCovered(balance, terms.least);

        uint256 paid = balance < terms.amount ? balance : terms.amount;
        uint256 platformAmount = paid * terms.feeBps / BPS;
        uint256 merchantAmount = paid - platformAmount;
        IERC20 token = IERC20(terms.token);
        emit Settled(terms.token, merchantAmount, platformAmount);
        if (platformAmount > 0 && !token.trySafeTransfer(terms.platform, platformAmount)) {
            // Fits: `paid` is at most `terms.amount`, a uint128.
            parked = uint128(platformAmount);
            emit PlatformShareParked(terms.token, platformAmount);
        }
        if (merchantAmount > 0) token.safeTransfer(terms.merchant, merchantAmount);
    }

    /// @notice Pays the platform the share that its wallet refused at settlement.
    function payParked(Terms calldata terms) external onlyFactory {
        uint256 amount = parked;
        if (amount == 0) revert NothingParked(address(this));
        parked = 0;
        emit PlatformSharePaid(terms.token, amount);
        IERC20(terms.token).safeTransfer(terms.platform, amount);
    }

    /// @notice Returns money that is neither the merchant's nor the platform's.
    /// @param isNew Whether the factory has deployed this contract for this very call
    /// @param token What to return; zero is the chain's own coin
    /// @param amount In base units of `token`
    function refund(Terms calldata terms, bool isNew, address token, address to, uint256 amount) external onlyFactory {
        if (to == address(0) || to == address(this) || to == FACTORY || to == token || to == terms.token) {
            revert BadRefundRecipient(to);
        }
        // On another chain nothing here was ever asked for, so there is nothing to keep open or to protect.
        bool isHome = block.chainid == terms.chainId;
        if (isNew && isHome) isOpen = true;

        uint256 dueBefore = SafeTransferLib.balanceOf(terms.token, address(this));
        uint256 refundable = isHome && token == terms.token ? _refundableDue(terms, dueBefore) : _balanceOf(token);
        if (amount == 0 || amount > refundable) revert NotRefundable(token, amount, refundable);

        emit Refunded(token, to, amount);
        if (token == address(0)) SafeTransferLib.safeTransferETH(to, amount);
        else IERC20(token).safeTransfer(to, amount);

        // Some tokens answer at two addresses, and on some chains the coin itself is a token: money that is due
        // must not leave by its other name.
        uint256 dueAfter = SafeTransferLib.balanceOf(terms.token, address(this));
        if (isHome && token != terms.token && dueAfter < dueBefore) revert DueTokenMoved(dueBefore, dueAfter);
    }

    /// @dev Settled: all but the platform's parked share. Open: what exceeds the amount due; or all of a payment that stayed short past its deadline.
    function _refundableDue(Terms calldata terms, uint256 balance) private view returns (uint256) {
        if (!isOpen) return balance > parked ? balance - parked : 0;
        if (balance > terms.amount) return balance - terms.amount;
        return balance < terms.least && block.timestamp > terms.deadline ? balance : 0;
    }

    function _balanceOf(address token) private view returns (uint256) {
        return token == address(0) ? address(this).balance : SafeTransferLib.balanceOf(token, address(this));
    }
}
